import { join } from 'node:path';
import { expireToken } from '../kit/login/user-tokens.ts';
import type { Call, Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { listAccounts, seedUser, tiktokControls, type UserSeed } from './controls.ts';
import { openEnding, processingStep } from './ending.ts';
import { errorAnswer, oauthError, plannedError } from './errors.ts';
import { openFetching } from './fetching.ts';
import { openGate } from './gate.ts';
import { initOperations } from './inits.ts';
import { oauthOperations, type TiktokApp } from './oauth.ts';
import { readingOperations } from './reading.ts';
import { openStanding } from './standing.ts';
import { openState } from './state.ts';
import { statusOperations } from './status.ts';
import { openUploadFiles } from './upload-files.ts';
import { uploadOperations } from './uploads.ts';

export interface TiktokOptions {
  readonly app: TiktokApp;
  /** Who can log in; more can be added at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * TikTok: `www.tiktok.com` for consent, `open.tiktokapis.com` for tokens and the Content Posting API, and
 * `open-upload.tiktokapis.com` for bytes. Direct posts only: nothing here leaves a draft in the app's inbox.
 *
 * A video goes live with its last chunk, photos with their init. `drop-reply` on `video.upload` loses the answer to a
 * chunk that was stored; `processing` (`error:<fail_reason>` or `timeout`) is what follows.
 *
 * Limits: calls a minute of each token, and over 24 hours posts of a creator and creators of the app.
 */
export function tiktok({ app, users }: TiktokOptions): PlatformDefinition {
  return {
    name: 'tiktok',
    limits: {
      initPerMinute: 6,
      creatorInfoPerMinute: 20,
      statusPerMinute: 30,
      userInfoPerMinute: 600,
      videoListPerMinute: 600,
      postsPerDay: 15,
      usersPerDay: 1_000,
      unauditedUsersPerDay: 5,
    },
    settings: {
      processingSeconds: 5,
      /** From the end of processing to the id of a public post. */
      postIdDelaySeconds: 2,
      /** How long a live post is missing from the list of videos. */
      listingDelaySeconds: 0,
      /** Not documented. */
      photosAreListed: true,
      /** An app that has not passed the audit posts to private accounts only, and only for themselves. */
      unaudited: false,
      verifiedDomains: [],
      accessTokenSeconds: 7_200,
      /** With which HTTP status the token endpoint says no. */
      oauthErrorStatus: 200,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      const gate = openGate(workbench, state);
      const standing = openStanding(workbench, state);
      const ending = openEnding(workbench, state, standing);
      const fetching = openFetching(workbench, state, ending);
      const files = openUploadFiles(join(workbench.dataDirectory, 'tiktok-uploads'));
      return {
        operations: [
          ...oauthOperations(workbench, state, app),
          ...readingOperations(workbench, state, gate, standing),
          ...initOperations(workbench, state, gate, standing, fetching),
          ...uploadOperations(state, files, ending),
          ...statusOperations(workbench, state, gate),
        ],
        controls: tiktokControls(state),
        steps: [processingStep],
        error: plannedError,
        rateLimited,
        expireToken({ bearer, query, at }) {
          const uploading = state.publishes.get(query.get('upload_id') ?? '')?.token;
          expireToken(state.accessTokens, bearer ?? uploading, at);
        },
        unknownPath: () => errorAnswer('invalid_params', 'Unsupported path(Janus)', 404),
        accounts: () => listAccounts(state),
        stop: fetching.stop,
      };
    },
  };
}

function rateLimited({ operation }: Call) {
  if (operation === 'video.upload') return { status: 429 };
  if (operation.startsWith('oauth.')) return oauthError('rate_limit_exceeded', 'Too many requests', 429);
  return errorAnswer('rate_limit_exceeded');
}
