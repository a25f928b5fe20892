import { json, Refusal } from '../kit/answers.ts';
import { randomSecret } from '../kit/login/authorization-codes.ts';
import type { Answer, Call } from '../kit/types.ts';

/** How one of Meta's platforms words an error. */
export interface Wording {
  readonly message: string;
  /** `OAuthException` unless said. */
  readonly type?: string;
  readonly isTransient?: true;
  readonly title?: string;
  readonly userMessage?: string;
  /** 400 unless said. */
  readonly status?: number;
}

/**
 * The Graph API's error body (Graph API: Handling Errors).
 *
 * @param code `code` or `code/subcode`
 * @param data what comes as `error_data`
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
    fbtrace_id: randomSecret('A'),
  };
  return json({ error }, status ?? 400);
}

/** For parameters that cannot be read, whatever the platform: code 100. */
export function refuseParameter(problem: string): never {
  throw new Refusal(graphErrorAnswer('100', { message: `(#100) ${problem}` }));
}

/** For paths and versions that do not exist. */
export function unknownPath({ path }: Call): Answer {
  const components = path.replace(/^\/v\d+\.\d+(?=\/)/, '');
  return graphErrorAnswer('2500', { message: `Unknown path components: ${components}` });
}

/** The errors of one platform, by `code` or `code/subcode`. */
export interface GraphErrors<Code extends string> {
  isKnown(code: string): code is Code;
  /** `code` may be one without a wording; `message` stands in for the usual one, `data` comes as `error_data`. */
  answer(code: string, message?: string, data?: unknown): Answer;
  /** @throws Refusal with that answer */
  refuse(code: Code, message?: string, data?: unknown): never;
  /** The HTTP status that a planned fault asks for, such as 500; undefined if it names one of the codes. */
  plannedStatus(code: string): number | undefined;
  /** The answer for a planned fault: an error of the platform's, or an HTTP status that stands for server trouble. */
  planned(code: string): Answer;
}

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
