import type { Answer } from './types.ts';

/** Answers with tokens and errors must not be stored (RFC 6749, section 5.1). */
const unstored = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...unstored, ...headers },
    body: JSON.stringify(body),
  };
}

/** A redirect that turns a POST into a GET, so that no form is sent on (RFC 9700, section 4.12). */
export function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 303, headers: { location, ...unstored, ...headers }, body: '' };
}

/** Appends parameters to an address that may have a query already (RFC 6749, section 3.1.2). */
export function withParameters(
  address: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.append(name, value);
  }
  return url.href;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
