"use strict";

// Swagger UI has dark colours for who puts this class here.
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", colour);
colour();

// The schemas that a part of the description names, as JSON.
const named = (description, part) => [...new Set(part.match(/#\/components\/schemas\/[^"]+/g))]
    .map((name) => JSON.stringify(description.components.schemas[name.split("/").at(-1)]))
    .join();

// An operation with its bodies and the records in them, in lower-case letters. Records of relations are
// named by records, and left out.
const text = (description, operation) => {
    const own = JSON.stringify(operation);
    const bodies = named(description, own);
    return (own + bodies + named(description, bodies)).toLowerCase();
};

// Finds operations by parameters and attributes too. Swagger UI looks at names of groups and at paths.
const finds = (description) => ({
    fn: {
        opsFilter: (groups, phrase) => {
            const word = phrase.toLowerCase();
            const mentions = (operation) => text(description, operation.toJS()).includes(word);
            return groups
                .map((group, name) => name.toLowerCase().includes(word)
                    ? group
                    : group.update("operations", (operations) => operations.filter(mentions)))
                .filter((group) => group.get("operations").size > 0);
        },
    },
});

(async () => {
    const page = document.getElementById("api");
    const place = new URL("openapi.json", location.href);
    try {
        const answer = await fetch(place, { headers: { Accept: "application/json" } });
        if (!answer.ok) {
            throw new Error(`${answer.status} ${answer.statusText}`);
        }
        const description = await answer.json();
        // What is tried here goes where the page came from, wherever the service is mounted.
        const below = place.pathname.slice(0, -"/openapi.json".length);
        const prefix = page.dataset.prefix;
        const mount = below.endsWith(prefix) ? below.slice(0, below.length - prefix.length) : "";
        description.servers = [{ url: mount || "/" }];
        SwaggerUIBundle({
            domNode: page,
            spec: description,
            deepLinking: true,
            defaultModelsExpandDepth: 0,
            displayRequestDuration: true,
            filter: true,
            plugins: [() => finds(description)],
            // A token is not kept: with the page it is gone.
            persistAuthorization: false,
            validatorUrl: null,
        });
    } catch (error) {
        page.textContent = `The description could not be read: ${error.message}`;
    }
})();
