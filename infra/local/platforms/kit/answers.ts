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

export function redirect(location: string): Answer {
  return { status: 302, headers: { location } };
}
