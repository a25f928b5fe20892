/** A person with a browser, for flows that lead through our pages and those of the simulators. */

/** The page that a browser shows after a request, and where it would go next. */
export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The target of a redirect; it is not followed. */
  readonly location: string | undefined;
}

/** A browser with cookies, without scripts. Redirects are not followed, so that each step can be inspected. */
export class Visitor {
  /** The cookies by origin, in the form that requests send. */
  readonly #cookies = new Map<string, Map<string, string>>();

  /** @param headers additional headers, such as those of a page of another site */
  visit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.#send(url, { headers });
  }

  /**
   * Sends the form of a page, with its hidden fields and selected checkboxes.
   *
   * @param fields replace the form's fields of the same names
   * @param headers replace those that a browser sends with a page's own form
   */
  submit(
    { url, html }: Shown,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Readonly<Record<string, string>> = {
      origin: new URL(url).origin,
      'sec-fetch-site': 'same-origin',
    },
  ): Promise<Shown> {
    const action = /<form method="post" action="([^"]+)"/.exec(html)?.[1];
    if (action === undefined) throw new Error(`there is no form at ${url}: ${html}`);
    const body = new URLSearchParams();
    for (const [name, value] of fieldsOf(html)) if (!(name in fields)) body.append(name, value);
    for (const [name, values] of Object.entries(fields))
      for (const value of [values].flat()) body.append(name, value);
    return this.#send(new URL(action, url).href, { method: 'POST', headers, body });
  }

  /** Returns the cookies of an origin, for inspection. */
  cookies(origin: string): ReadonlyMap<string, string> {
    return this.#cookies.get(origin) ?? new Map();
  }

  async #send(url: string, request: RequestInit): Promise<Shown> {
    const { origin } = new URL(url);
    const cookie = [...this.cookies(origin)].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(request.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { ...request, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      this.#cookies.set(origin, new Map([...this.cookies(origin), [name, value]]));
    }
    const location = response.headers.get('location');
    return {
      url,
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: location === null ? undefined : new URL(location, url).href,
    };
  }
}

/** Returns the fields that a browser sends if nobody changes them. */
function fieldsOf(html: string): [string, string][] {
  return [
    ...html.matchAll(/<input type="(hidden|checkbox)" name="([^"]+)" value="([^"]*)"( checked)?>/g),
  ].flatMap(([, type, name = '', value = '', checked]) =>
    type === 'hidden' || checked !== undefined ? [[name, withoutEntities(value)] as [string, string]] : [],
  );
}

const withoutEntities = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** Returns the platform's ids of the accounts that a page offers. */
export function offeredAccounts({ html }: Shown): string[] {
  return [...html.matchAll(/name="account" value="([^"]*)"/g)].map(([, id = '']) => withoutEntities(id));
}

/** Signs in at a simulator's consent page and allows access. @returns the URL that the platform sends the browser to */
export async function consent(visitor: Visitor, platformUrl: string, username: string): Promise<string> {
  const page = new URL(platformUrl);
  page.searchParams.set('login', username);
  page.searchParams.set('approve', '1');
  return redirectOf(await visitor.visit(page.href));
}

/**
 * Goes from `authUrl` to the page that asks for confirmation, as a browser would.
 *
 * @throws Error if a step shows a page instead of leading on
 */
export async function signIn(visitor: Visitor, authUrl: string, username: string): Promise<Shown> {
  const platformUrl = redirectOf(await visitor.submit(await visitor.visit(authUrl)));
  const callback = await consent(visitor, platformUrl, username);
  return visitor.visit(redirectOf(await visitor.visit(callback)));
}

/** @throws Error with what is shown instead of a redirect */
export function redirectOf({ location, status, url, html }: Shown): string {
  if (location === undefined) throw new Error(`${new URL(url).pathname} showed a page (${status}): ${html}`);
  return location;
}
