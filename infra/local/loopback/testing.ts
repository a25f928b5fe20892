import { type IncomingHttpHeaders, request } from 'node:http';

/**
 * The requests that a browser sends to a loopback server for a web page that is not ours. `host` is absent if it is the true one.
 */
export const requestsOfWebPages: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['a fetch of another origin', 'POST', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a fetch of an older browser', 'POST', { origin: 'https://evil.example' }],
  ['a form in a sandboxed frame', 'POST', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['an image or a link, which sends no Origin', 'GET', { 'sec-fetch-site': 'cross-site' }],
  ['a page of another port of this machine', 'GET', { 'sec-fetch-site': 'same-site' }],
  ['a page that the simulator itself shows', 'GET', { 'sec-fetch-site': 'same-origin' }],
  ['a page after DNS rebinding', 'GET', { host: 'evil.example', 'sec-fetch-site': 'same-origin' }],
  ['a page after DNS rebinding, in an older browser', 'GET', { host: 'evil.example:4000' }],
  ['a page whose name begins like a loopback address', 'GET', { host: '127.0.0.1.evil.example' }],
];

/** Requests that a web page cannot make: those of a program, or of a person who types the address. */
export const requestsOfPrograms: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
  ['a program', 'GET', {}],
  ['a program that uses a name', 'GET', { host: 'localhost:4000' }],
  ['a program that uses IPv6', 'GET', { host: '[::1]:4000' }],
  ['an address that a person typed', 'GET', { 'sec-fetch-site': 'none' }],
];

/** Sends exactly these headers; `fetch` would replace Host and Sec-Fetch-Site. @returns the response's status and body */
export function sendRaw(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on('error', reject).end(body);
  });
}
