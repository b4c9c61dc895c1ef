"use strict";

// Swagger UI has dark colours for who puts this class here.
const dark = matchMedia("(prefers-color-scheme: dark)");
const colour = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", colour);
colour();

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
            // A token is not kept: with the page it is gone.
            persistAuthorization: false,
            validatorUrl: null,
        });
    } catch (error) {
        page.textContent = `The description could not be read: ${error.message}`;
    }
})();
