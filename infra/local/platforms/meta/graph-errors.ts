import { Refusal, randomJson } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer } from '../kit/types.ts';

/** The parts of one Graph API error, apart from its code. */
export interface Wording {
  readonly message: string;
  /** Default: `OAuthException`. */
  readonly type?: string;
  readonly isTransient?: true;
  readonly title?: string;
  readonly userMessage?: string;
  /** The HTTP status. Default: 400. */
  readonly status?: number;
}

/**
 * Returns an error as the Graph API answers it (Graph API: Handling Errors).
 *
 * @param code `code` or `code/subcode`
 * @param data the value of `error_data`
 */
export function graphErrorAnswer(
  code: string,
  { message, type, isTransient, title, userMessage, status }: Wording,
  data?: unknown,
): Answer {
  const [number, subcode] = code.split('/').map(Number);
  const error = {
    message,
    type: type ?? 'OAuthException',
    code: number,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(data !== undefined && { error_data: data }),
    is_transient: isTransient ?? false,
    ...(title !== undefined && { error_user_title: title }),
    ...(userMessage !== undefined && { error_user_msg: userMessage }),
  };
  return randomJson((random) => ({ error: { ...error, fbtrace_id: random.secret('A') } }), status ?? 400);
}

/** Refuses an unreadable parameter with code 100, as all of Meta's platforms do. @throws Refusal */
export function refuseParameter(problem: string): never {
  throw new Refusal(graphErrorAnswer('100', { message: `(#100) ${problem}` }));
}

/** Returns the answer for paths and versions that do not exist. */
export function unknownPath({ path }: Call): Answer {
  const components = path.replace(/^\/v\d+\.\d+(?=\/)/, '');
  return graphErrorAnswer('2500', { message: `Unknown path components: ${components}` });
}

/** The errors of one platform, by `code` or `code/subcode`. */
export interface GraphErrors<Code extends string> {
  isKnown(code: string): code is Code;
  /** `code` may be unknown. `message` replaces the default message; `data` is sent as `error_data`. */
  answer(code: string, message?: string, data?: unknown): Answer;
  /** @throws Refusal with that answer */
  refuse(code: Code, message?: string, data?: unknown): never;
  /** Returns the HTTP status that a planned fault names, such as 500; undefined if it names an error code. */
  plannedStatus(code: string): number | undefined;
  /** Returns the answer for a planned fault: one of the platform's errors, or a generic error with the given HTTP status. */
  planned(code: string): Answer;
}

/** @param wordings the platform's errors, by `code` or `code/subcode` */
export function graphErrors<Code extends string>(
  wordings: Readonly<Record<Code | '1' | '2', Wording>>,
): GraphErrors<Code> {
  const isKnown = (code: string): code is Code => Object.hasOwn(wordings, code);
  const wordingOf = (code: string): Wording =>
    isKnown(code) ? wordings[code] : { message: 'An error has occurred.' };
  const answer: GraphErrors<Code>['answer'] = (code, message, data) =>
    graphErrorAnswer(code, { ...wordingOf(code), ...(message !== undefined && { message }) }, data);
  const plannedStatus = (code: string) => {
    const status = Number(code);
    return !isKnown(code) && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
  };
  return {
    isKnown,
    answer,
    refuse(code, message, data) {
      throw new Refusal(answer(code, message, data));
    },
    plannedStatus,
    planned(code) {
      const status = plannedStatus(code);
      if (status === undefined) return answer(code);
      const standIn = status >= 500 ? '2' : '1';
      return graphErrorAnswer(standIn, { ...wordings[standIn], status });
    },
  };
}
