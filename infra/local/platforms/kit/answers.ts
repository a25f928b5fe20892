import type { Answer } from './types.ts';

/** An answer thrown from within a handler: what the platform says instead of doing what was asked. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status}`);
    this.answer = answer;
  }
}

/** A JSON answer. */
export function json(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return rawJson(JSON.stringify(body), status, headers);
}

/** A JSON answer from text, for what `JSON.stringify` cannot write, such as integers beyond 2^53. */
export function rawJson(body: string, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json; charset=UTF-8', ...headers }, body };
}

export function html(body: string, status = 200): Answer {
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A page that tells the person what is wrong: nobody may be sent to an address that is not registered. */
export function errorPage(title: string, heading: string, words: string, status = 400): Answer {
  return html(`<!DOCTYPE html><title>${title}</title><h1>${heading}</h1><p>${escapeHtml(words)}</p>`, status);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function redirect(location: string): Answer {
  return { status: 302, headers: { location } };
}
