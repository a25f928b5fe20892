/** What we change in the packages that the panel's site contains. */
import { readFileSync } from 'node:fs';
/**
 * Empties elements without `innerHTML`, which Trusted Types refuse to every script, even for an empty text. So the site's policy
 * can forbid all of it (`trusted-types 'none'`).
 */
export const withoutHtmlSinks = {
    name: 'without-html-sinks',
    setup({ onLoad }) {
        onLoad({ filter: /react-aria.dist.private.live-announcer.LiveAnnouncer\.m?js$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replaceAll(".innerHTML = ''", ".textContent = ''"),
        }));
    },
};
