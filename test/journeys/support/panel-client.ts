import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { DemoPerson } from '../../../bin/dev/demo-people.ts';
import type { Answer } from './client.ts';

/** The parts of a local cloud that signing in needs. */
export interface PanelCloud {
  /** URL without a trailing slash. */
  readonly panelUrl: string;
}

/** The person who signs in: somebody with a button of their own, or with an address. */
export type SigningIn = DemoPerson['label'] | { readonly email: string; readonly name?: string };

/** A person in a browser without scripts, at the panel. */
export interface PanelClient {
  /** Sends a request of a page of the panel: with the cookies and what browsers say about the page. */
  request(
    method: string,
    path: string,
    body?: unknown,
    /** Replace the headers of the same names, in lower case; `undefined` leaves one out. */
    headers?: Sent['headers'],
  ): Promise<Answer>;
  /** @throws Error with the body if the response has another status */
  expectStatus(status: number, ...request: Parameters<PanelClient['request']>): Promise<Answer>;
  /** The same person in the same browser, in another workspace. */
  in(workspaceId: string): PanelClient;
  readonly browser: PanelBrowser;
}

/** A browser's place after it has followed all redirects. */
export interface Arrival {
  readonly url: URL;
  readonly status: number;
  readonly text: string;
}

/** A request as a browser sends it. Header names are in lower case; `undefined` leaves a header out. */
export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** A browser without scripts. Its cookies are those of one host on all ports, as in a real one. */
export class PanelBrowser {
  /** Cookies by name. */
  readonly cookies = new Map<string, string>();

  /** Sends one request, without following a redirect. `fetch` would replace some of the headers. */
  async send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const given = Object.entries({ ...(cookie !== '' && { cookie }), ...headers });
    const present = given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const sent = request(url, { method, headers: Object.fromEntries(present) }).end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) this.#keep(line);
    const received = new Headers();
    for (const [name, values] of Object.entries(response.headersDistinct))
      for (const value of values ?? []) received.append(name, value);
    const content = await text(response);
    return {
      status: response.statusCode ?? 0,
      headers: received,
      text: content,
      json: () => JSON.parse(content),
    };
  }

  /**
   * Goes to an address and follows redirects, as a click on a link does.
   *
   * @param sent such as a form to send
   * @param isAtTheEnd stops before a redirect to an address of which this is true
   * @throws Error after 10 redirects
   */
  async go(address: string, sent: Sent, isAtTheEnd: (url: URL) => boolean): Promise<Arrival> {
    let url = new URL(address);
    let next = sent;
    let site = 'same-origin';
    for (let redirects = 0; redirects <= 10; redirects += 1) {
      const headers = {
        'sec-fetch-site': site,
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        ...next.headers,
      };
      const answer = await this.send(url.href, { ...next, headers });
      const location = answer.headers.get('location');
      if (location === null) return { url, status: answer.status, text: answer.text };
      const target = new URL(location, url);
      if (isAtTheEnd(target)) return { url: target, status: answer.status, text: '' };
      // Another port of a host is of the same site. A chain that has left its origin stays so when it comes back.
      if (target.origin !== url.origin) site = 'same-site';
      // All redirects of the sign-in are 303, which turns a form into a GET.
      [url, next] = [target, {}];
    }
    throw new Error(`${address} redirects without end; the last address was ${url.href}`);
  }

  /** Stores or removes a cookie as a browser does: `Max-Age=0`, or a date that has passed, removes it. */
  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const separator = pair.indexOf('=');
    const [name, value] = [pair.slice(0, separator), pair.slice(separator + 1)];
    const attribute = (wanted: string) =>
      attributes.find((one) => one.toLowerCase().startsWith(`${wanted}=`))?.slice(wanted.length + 1);
    const maxAge = attribute('max-age');
    const expires = attribute('expires');
    const isOver = maxAge === undefined ? Date.parse(expires ?? '') <= Date.now() : Number(maxAge) <= 0;
    if (isOver) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/**
 * Signs in to the panel over HTTP, through the simulated identity provider and its page.
 *
 * @param options.workspaceId the workspace that requests are sent to; none by default
 * @param options.browser the browser in which to sign in; a new one by default
 * @param options.again makes the person prove again who they are
 * @throws Error with what was shown if the person does not arrive at the panel
 */
export async function signIn(
  cloud: PanelCloud,
  who: SigningIn,
  options: { readonly workspaceId?: string; readonly browser?: PanelBrowser; readonly again?: boolean } = {},
): Promise<PanelClient> {
  const { workspaceId, browser = new PanelBrowser(), again = false } = options;
  const { url } = await beginAndFinish(cloud, who, browser, again);
  const error = url.searchParams.get('error');
  if (url.origin !== cloud.panelUrl || error !== null) throw new Error(`the sign-in ended at ${url.href}`);
  return clientIn(cloud, browser, workspaceId);
}

/** Does the same as `signIn`, up to the address to which the callback leads, which may say what went wrong. */
export async function beginAndFinish(
  { panelUrl }: PanelCloud,
  who: SigningIn,
  browser = new PanelBrowser(),
  again = false,
): Promise<Arrival> {
  const isPanelPage = (url: URL) => url.origin === panelUrl && !url.pathname.startsWith('/api/');
  const path = `/api/panel/sign-in?returnTo=/${again ? '&again=true' : ''}`;
  const page = await browser.go(panelUrl + path, {}, isPanelPage);
  // Somebody who is signed in at the identity provider is not asked.
  if (isPanelPage(page.url)) return page;
  return browser.go(...formOf(page, who), isPanelPage);
}

/** The form of the identity provider's page, filled in. */
function formOf({ url, status, text: page }: Arrival, who: SigningIn): [string, Sent] {
  if (!page.includes('<form method="post">'))
    throw new Error(`${url.origin}${url.pathname} showed no form (${status}): ${page}`);
  const headers = {
    origin: url.origin,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const fields = typeof who === 'string' ? { person: who } : { ...who };
  return [url.href, { method: 'POST', headers, body: new URLSearchParams(fields).toString() }];
}

/** A client for a browser in which somebody may be signed in. */
export function clientIn({ panelUrl }: PanelCloud, browser: PanelBrowser, workspaceId?: string): PanelClient {
  const client: PanelClient = {
    browser,
    in: (other) => clientIn({ panelUrl }, browser, other),
    request(method, path, body, changes = {}) {
      return browser.send(`${panelUrl}/api${path}`, {
        method,
        headers: {
          'sec-fetch-site': 'same-origin',
          'sec-fetch-mode': 'cors',
          'sec-fetch-dest': 'empty',
          // Browsers send no `Origin` with a GET to their own origin.
          ...(method !== 'GET' && method !== 'HEAD' && { origin: panelUrl }),
          ...(workspaceId !== undefined && { 'x-workspace': workspaceId }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...changes,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
    },
    async expectStatus(status, method, path, ...rest) {
      const answer = await client.request(method, path, ...rest);
      if (answer.status === status) return answer;
      throw new Error(`${method} ${path} returned ${answer.status}, not ${status}: ${answer.text}`);
    },
  };
  return client;
}
