import type { Random } from './random.ts';
import type { Answer } from './types.ts';

/** Thrown by a handler to refuse a call: the simulator sends `answer` as the response. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return rawJson(JSON.stringify(body), status, headers);
}

/** Returns a JSON answer from ready-made text, for values that `JSON.stringify` cannot write, such as integers beyond 2^53. */
export function rawJson(
  body: string | ((random: Random) => string),
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body };
}

/** Returns a JSON answer that contains random ids, such as the id of an error. */
export function randomJson(
  make: (random: Random) => unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return rawJson((random) => JSON.stringify(make(random)), status, headers);
}

/** Returns the text of an answer's body. */
export function bodyText({ body = '' }: Answer, random: Random): string {
  return typeof body === 'string' ? body : body(random);
}

export function html(body: string, status = 200): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** Returns an error page, for requests that must not be redirected because the redirect address may be unregistered. */
export function errorPage(title: string, heading: string, text: string, status = 400): Answer {
  return html(`<!DOCTYPE html><title>${title}</title><h1>${heading}</h1><p>${escapeHtml(text)}</p>`, status);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function redirect(location: string): Answer {
  return { status: 302, headers: { location } };
}
