import { html } from './html.ts';
import { type Page, page } from './page.ts';

/** The reply for programs at the root of the API. The paths are on the same host. */
export const welcome = {
  name: 'Herald',
  description: 'Schedules posts to social accounts. This is the address of its API.',
  docs: '/docs',
  openapi: '/v1/openapi.json',
  health: '/health',
} as const;

/** Builds the same for people who open the address of the API in a browser. */
export function welcomePage(): Page {
  return page({
    status: 200,
    title: `${welcome.name} API`,
    body: html`<p>${welcome.description}</p>
<ul>
<li><a href="${welcome.docs}">Documentation</a>: every request, to read and to try</li>
<li><a href="${welcome.openapi}">OpenAPI document</a>, for generators of client programs</li>
<li><a href="${welcome.health}">Health</a>: whether the service responds</li>
</ul>`,
  });
}
