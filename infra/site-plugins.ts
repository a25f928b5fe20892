/** Our changes to the packages in the panel's site. */
import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';

/**
 * Makes packages empty elements without `innerHTML`, which Trusted Types deny to every script, even for an empty text. So the
 * site's policy can forbid it completely (`trusted-types 'none'`).
 */
export const withoutHtmlSinks: Plugin = {
  name: 'without-html-sinks',
  setup({ onLoad }) {
    onLoad({ filter: /react-aria.dist.private.live-announcer.LiveAnnouncer\.m?js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(".innerHTML = ''", ".textContent = ''"),
    }));
  },
};
