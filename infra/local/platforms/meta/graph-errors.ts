import { json, Refusal } from '../kit/answers.ts';
import { randomSecret } from '../kit/authorization-codes.ts';
import type { Answer } from '../kit/types.ts';

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

/** The HTTP status that a planned fault asks for, such as 500; undefined where it names one of the platform's codes. */
export function plannedStatus(code: string, isKnown: (code: string) => boolean): number | undefined {
  const number = Number(code);
  return !isKnown(code) && Number.isInteger(number) && number >= 400 && number < 600 ? number : undefined;
}
