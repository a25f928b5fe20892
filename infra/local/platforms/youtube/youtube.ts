import { join } from 'node:path';
import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { createCompletion } from './completion.ts';
import { type Credentials, openCredentials } from './credentials.ts';
import { googleErrorBody, googleErrors, isGoogleErrorReason } from './errors.ts';
import { openGate } from './gate.ts';
import { type OAuthClient, oauthErrorAnswer, oauthOperations } from './oauth.ts';
import { defaultQuotas } from './quota.ts';
import { readOperations } from './reads.ts';
import { channelIdOf, openState, type State, type User } from './state.ts';
import { thumbnailOperation } from './thumbnails.ts';
import { openUploadFiles } from './upload-files.ts';
import { isOpenSession, uploadOperations } from './uploads.ts';

export interface YoutubeOptions {
  readonly client: OAuthClient;
  /** Who can log in from the start, each with a verified channel of its own. */
  readonly logins: readonly string[];
}

/**
 * A strict YouTube: the Data API v3 with resumable uploads, and Google's OAuth in front of it.
 *
 * Names for faults: `authorize`, `token`, `revoke`, `channels.list`, `videos.list`, `playlistItems.list`,
 * `thumbnails.set`; `videos.insert` is the start of a session, except that `drop-reply` and `timeout` wait for the
 * PUT that completes the upload, the call that makes the video live. `videos.insert.start`, `videos.insert.chunk` and
 * `videos.insert.status` name the start, every PUT with bytes and every status query alone. Two steps can be hit as
 * well: `chunk-storage` (any fault: half of the chunk is kept at most) and `processing` (`error:<failureReason or
 * rejectionReason>`, or `timeout` for one that never ends).
 *
 * Settings: `processingSeconds`, and `unaudited`, which keeps every upload private.
 */
export function youtube({ client, logins }: YoutubeOptions): PlatformDefinition {
  return {
    name: 'youtube',
    limits: defaultQuotas,
    settings: { processingSeconds: 10, unaudited: false },
    open(workbench) {
      const state = openState(workbench.ledger);
      for (const login of logins) {
        if (state.users.get(login) === undefined) state.users.put(login, newUser(login, {}));
      }
      return openPlatform(client, workbench, state);
    },
  };
}

function openPlatform(client: OAuthClient, workbench: Workbench, state: State): Platform {
  const credentials = openCredentials(state);
  const gate = openGate(workbench, state, credentials);
  const files = openUploadFiles(join(workbench.dataDirectory, 'youtube-uploads'));
  files.keepOnly((sessionId) => isOpenSession(state.sessions.get(sessionId), workbench.clock.now()));
  const complete = createCompletion(workbench, state, files);
  return {
    operations: [
      ...oauthOperations(client, workbench, state, credentials),
      ...readOperations(state, gate),
      ...uploadOperations(workbench, state, gate, files, complete),
      thumbnailOperation(workbench, state, gate),
    ],
    controls: userControls(state, credentials),
    steps: ['videos.insert.start', 'chunk-storage', 'processing'],
    error: errorAnswer,
    rateLimited,
    expireToken({ bearer, fields, at }) {
      if (bearer !== undefined) credentials.expire(bearer, at);
      const refreshToken = fields['refresh_token'];
      if (typeof refreshToken === 'string') credentials.revoke(refreshToken, at);
    },
    unknownPath: () => json(googleErrorBody('notFound'), 404),
    accounts: () => state.users.list(),
  };
}

/** For tests: `POST _control/users` makes or changes a Google account, `POST _control/withdraw` ends its consents. */
function userControls({ users }: State, credentials: Credentials): readonly Operation[] {
  return [
    operation('users', 'POST', '_control/users', ({ fields }) => {
      const { login } = fields;
      if (typeof login !== 'string' || login === '') return json({ error: 'login: a string' }, 400);
      const user = newUser(login, fields);
      users.put(login, user);
      return json(user, 201);
    }),
    operation('withdraw', 'POST', '_control/withdraw', ({ fields }) => {
      const { login } = fields;
      if (typeof login !== 'string' || users.get(login) === undefined) {
        return json({ error: 'login: a user' }, 400);
      }
      credentials.revokeAll(login);
      return json({ ok: true });
    }),
  ];
}

function newUser(login: string, { title, hasChannel, isVerified }: Readonly<Record<string, unknown>>): User {
  return {
    login,
    title: typeof title === 'string' ? title : login,
    ...(hasChannel === false ? {} : { channelId: channelIdOf(login) }),
    isVerified: isVerified !== false,
  };
}

/** A reason of the Data API (`quotaExceeded`), an OAuth error (`invalid_grant`) or an HTTP status (`503`). */
function errorAnswer(code: string, call: Call): Answer {
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  if (call.host !== 'www.googleapis.com') {
    return oauthErrorAnswer(
      status ?? (code === 'invalid_client' ? 401 : 400),
      status ? 'server_error' : code,
    );
  }
  if (status !== undefined) {
    const { error } = googleErrorBody('backendError');
    return json({ error: { ...error, code: status } }, status);
  }
  if (isGoogleErrorReason(code)) return json(googleErrorBody(code), googleErrors[code].httpStatus);
  const { error } = googleErrorBody('badRequest', code);
  return json({ error: { ...error, errors: [{ domain: 'global', reason: code, message: code }] } }, 400);
}

function rateLimited(call: Call): Answer {
  if (call.host !== 'www.googleapis.com') return oauthErrorAnswer(403, 'rate_limit_exceeded');
  const reason = call.operation === 'thumbnails.set' ? 'uploadRateLimitExceeded' : 'rateLimitExceeded';
  return json(googleErrorBody(reason), googleErrors[reason].httpStatus);
}
