import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { captionOperations } from './captions.ts';
import { commentOperations } from './comments.ts';
import { createCompletion } from './completion.ts';
import { listAccounts, seedUser, type UserSeed, youtubeControls } from './controls.ts';
import { openCredentials } from './credentials.ts';
import { googleErrorBody, googleErrors, isGoogleErrorReason } from './errors.ts';
import { defaultQuotas, openGate } from './gate.ts';
import { insightsOperations } from './insights.ts';
import { createStoreVideo } from './live-videos.ts';
import { type GoogleApp, oauthErrorAnswer, oauthOperations } from './oauth.ts';
import { playlistOperations } from './playlists.ts';
import { readOperations } from './reads.ts';
import { openState, type State } from './state.ts';
import { isOpenSession, uploadOperations } from './uploads.ts';
import { deletionOperation, thumbnailOperation, updateOperation } from './videos.ts';

export interface YoutubeOptions {
  readonly app: GoogleApp;
  /** The users that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines YouTube: the Data API v3 with resumable uploads, and Google's OAuth.
 *
 * Names for faults: `authorize`, `token`, `revoke`, `channels.list`, `videos.list`, `playlistItems.list`, `thumbnails.set`,
 * `videos.update`, `videos.delete`, `playlists.list`, `playlistItems.insert`, `playlistItems.delete`, `commentThreads.list`, `commentThreads.insert`,
 * `captions.insert`, `captions.list`, `captions.delete`. A fault for
 * `videos.insert` applies to the start of a session, except `drop-reply` and `timeout`: they apply to the PUT that completes the
 * upload, because that call creates the video. `videos.insert.start`, `videos.insert.chunk` and `videos.insert.status` apply
 * only to the start, to PUTs with bytes and to status queries. Two steps can fail as well: `chunk-storage` (any fault: at most
 * half of the chunk is kept) and `processing` (`error:<failureReason or rejectionReason>`; `timeout` never ends).
 *
 * Settings: `processingSeconds`; `completionSeconds`, from the last byte until the session names its video; `forcesPrivate`: the
 * creator's own settings make every upload private, and keep it so; `disablesComments`: they turn comments off; and `grantSeconds`: new grants
 * are limited to this time, as for an app whose consent screen is in testing (7 days); 0 for no limit.
 */
export function youtube({ app, users }: YoutubeOptions): PlatformDefinition {
  return {
    name: 'youtube',
    limits: defaultQuotas,
    settings: {
      processingSeconds: 10,
      completionSeconds: 0,
      forcesPrivate: false,
      disablesComments: false,
      grantSeconds: 0,
    },
    open(workbench) {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      return openPlatform(app, workbench, state);
    },
  };
}

function openPlatform(app: GoogleApp, workbench: Workbench, state: State): Platform {
  const credentials = openCredentials(state, workbench);
  const gate = openGate(workbench, state, credentials);
  const files = workbench.openFiles('youtube-uploads');
  files.keepOnly((sessionId) => isOpenSession(state.sessions.get(sessionId), workbench.clock.now()));
  const storeVideo = createStoreVideo(workbench, state);
  const complete = createCompletion(workbench, state, files, storeVideo);
  return {
    operations: [
      ...oauthOperations(app, workbench, state, credentials),
      ...readOperations(workbench, state, gate),
      ...insightsOperations(workbench, gate),
      ...uploadOperations(workbench, state, gate, files, complete),
      thumbnailOperation(workbench, state, gate, storeVideo),
      updateOperation(workbench, state, gate, storeVideo),
      deletionOperation(workbench, state, gate),
      ...playlistOperations(workbench, state, gate, storeVideo),
      ...commentOperations(workbench, state, gate, storeVideo),
      ...captionOperations(workbench, state, gate, storeVideo),
    ],
    controls: youtubeControls(workbench, state, credentials),
    steps: ['videos.insert.start', 'chunk-storage', 'processing'],
    error: errorAnswer,
    rateLimited,
    expireToken({ bearer, fields, at }) {
      if (bearer !== undefined) credentials.expire(bearer, at);
      const refreshToken = fields['refresh_token'];
      if (typeof refreshToken === 'string') credentials.revoke(refreshToken, at);
    },
    unknownPath: () => json(googleErrorBody('notFound'), 404),
    accounts: () => listAccounts(state, credentials),
  };
}

/** Returns the answer for a planned fault: a Data API reason (`quotaExceeded`), an OAuth error or a status (`503`). */
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
