/** The deauthorize and data-deletion callbacks of Meta's platforms, which a test sends from the control address. */

import { createHmac } from 'node:crypto';
import { json, Refusal } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { refuseControl } from '../kit/control.ts';
import { endConsents } from '../kit/login/consents.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import type { MetaApp } from './platform.ts';

/**
 * The differences between the platforms. If there are several ids or secrets, the first is used unless the request names another.
 */
export interface CallbackParts<User> {
  readonly app: MetaApp;
  find(username: string): User | undefined;
  /** Returns the ids that may name the user, by name. */
  idsOf(user: User): Readonly<Record<string, string>>;
  /** The secrets that may sign, by the app's name. Default: the app's own. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Invalidates all tokens of the user. */
  end(user: User): void;
}

const answerSeconds = 10;

/**
 * `POST {control}/deauthorize` and `POST {control}/data-deletion` with `{ "username": … }`: the user removes the app, which
 * invalidates all tokens, and the platform sends the callback. The answer contains the app's answer; a wrong answer to a deletion
 * is 502. `id` and `signedBy` choose the id and the secret.
 *
 * https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 */
export function callbackControls<User>(workbench: Workbench, parts: CallbackParts<User>): Operation[] {
  const { app, find, idsOf, end } = parts;

  async function send(call: Call, url: string | undefined): Promise<{ status: number; text: string }> {
    const { username, id, signedBy } = call.fields;
    const user = typeof username === 'string' ? find(username) : undefined;
    if (user === undefined) return refuseControl('username names no known user');
    if (url === undefined) return refuseControl('the app has registered no address for callbacks');
    const userId = chosen(idsOf(user), id, 'id');
    const secret = chosen(parts.secrets ?? { app: app.secret }, signedBy, 'signedBy');
    end(user);
    endConsents(workbench, String(username));
    const issuedAt = Math.floor(call.at / 1000);
    const payload = {
      algorithm: 'HMAC-SHA256',
      expires: issuedAt + 3600,
      issued_at: issuedAt,
      user_id: userId,
    };
    return post(url, new URLSearchParams({ signed_request: sign(payload, secret) }));
  }

  async function post(url: string, body: URLSearchParams): Promise<{ status: number; text: string }> {
    const { stopping } = workbench.background;
    const timeout = workbench.fetch === undefined ? [AbortSignal.timeout(answerSeconds * 1000)] : [];
    const signal = AbortSignal.any([stopping, ...timeout]);
    try {
      const response = await (workbench.fetch ?? fetch)(url, {
        method: 'POST',
        body,
        redirect: 'manual',
        signal,
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      return refuseAnswer(`nothing: ${String(error)}`);
    }
  }

  async function deauthorize(call: Call): Promise<Answer> {
    const { status, text } = await send(call, app.callbacks?.deauthorizeUrl);
    if (status !== 200) refuseAnswer(`${status} ${text}`);
    return json({ ok: true });
  }

  async function deleteData(call: Call): Promise<Answer> {
    const { status, text } = await send(call, app.callbacks?.dataDeletionUrl);
    const { url, confirmation_code: code } = fieldsIn(text);
    const isGood = status === 200 && isPublic(url) && typeof code === 'string' && /^[0-9a-z]+$/i.test(code);
    if (!isGood) refuseAnswer(`${status} ${text}`);
    return json({ url, confirmationCode: code });
  }

  return [
    operation('deauthorize', 'POST', '_control/deauthorize', deauthorize),
    operation('data-deletion', 'POST', '_control/data-deletion', deleteData),
  ];
}

/** Returns `<signature>.<payload>`, without padding. */
function sign(payload: object, secret: string): string {
  const encoded = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}

function chosen(values: Readonly<Record<string, string>>, name: unknown, field: string): string {
  const names = Object.keys(values);
  const value = values[name === undefined ? (names[0] ?? '') : String(name)];
  return value ?? refuseControl(`${field} must be one of ${names.join(', ')}`);
}

/** Returns the fields of a JSON object; none if the text is not one. */
function fieldsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value instanceof Object ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Returns true if a person's browser can open the address. Loopback http counts as https. */
function isPublic(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/** @throws Refusal with 502 */
function refuseAnswer(answer: string): never {
  throw new Refusal(json({ error: `the app answered ${answer.slice(0, 500)}` }, 502));
}
