// Runs the scripts of the page at the first argument, and types each further argument into its filter.
// Prints the operations that are left then, by group. Swagger UI computes them without drawing them, so
// what draws is missing here.
"use strict";

const { runInThisContext } = require("node:vm");

const [place, ...words] = process.argv.slice(2);

const element = () => ({ style: {}, dataset: {}, setAttribute() {}, appendChild() {} });

function pretendToBeABrowser(prefix) {
    const api = element();
    api.dataset.prefix = prefix;
    Object.assign(globalThis, {
        window: globalThis,
        self: globalThis,
        location: new URL(place),
        history: { replaceState() {} },
        matchMedia: () => ({ addEventListener() {} }),
        addEventListener() {},
        document: {
            documentElement: { ...element(), classList: { toggle() {} } },
            getElementById: () => api,
            createElement: element,
            addEventListener() {},
            querySelector: () => null,
        },
    });
    return api;
}

// What Swagger UI is given by the page, but for the place to draw at.
function withoutDrawing() {
    const start = globalThis.SwaggerUIBundle;
    return new Promise((resolve) => {
        globalThis.SwaggerUIBundle = ({ domNode, ...settings }) => resolve(start(settings));
    });
}

function left(system, word) {
    system.layoutActions.updateFilter(word);
    const names = (group) => group.get("operations").map((it) => `${it.get("method")} ${it.get("path")}`);
    return system.specSelectors.taggedOperations().map(names).toJS();
}

(async () => {
    const page = await (await fetch(place, { headers: { Accept: "text/html" } })).text();
    const api = pretendToBeABrowser(page.match(/data-prefix="([^"]*)"/)[1]);
    const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, path]) => new URL(path, place));
    const texts = await Promise.all(scripts.map(async (it) => (await fetch(it)).text()));
    runInThisContext(texts[0]);
    const started = withoutDrawing();
    texts.slice(1).forEach((text) => runInThisContext(text));
    const system = await Promise.race([started, new Promise((resolve) => setTimeout(resolve, 20_000))]);
    if (!system) {
        throw new Error(`Swagger UI was not started: ${api.textContent}`);
    }
    console.log(JSON.stringify(Object.fromEntries(words.map((word) => [word, left(system, word)]))));
    process.exit(0);
})();
