import type { Call } from '../kit/call.ts';
import { appScopeSettings } from '../kit/login/app-scopes.ts';
import { expireToken } from '../kit/login/user-tokens.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { listAccounts, seedUser, tiktokControls, type UserSeed } from './controls.ts';
import { openEnding, processingStep } from './ending.ts';
import { errorAnswer, oauthError, plannedError } from './errors.ts';
import { openFetching } from './fetching.ts';
import { openGate } from './gate.ts';
import { initOperations } from './inits.ts';
import { insightsOperations } from './insights.ts';
import { oauthOperations, type TiktokApp } from './oauth.ts';
import { readingOperations, statusOperations } from './reading.ts';
import { openStanding } from './standing.ts';
import { openState } from './state.ts';
import { uploadOperations } from './uploads.ts';

export interface TiktokOptions {
  readonly app: TiktokApp;
  /** The users that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines TikTok: `www.tiktok.com` for consent, `open.tiktokapis.com` for tokens and the Content Posting API, and
 * `open-upload.tiktokapis.com` for uploads. Supports direct posts, and drafts in the creator's inbox: `POST {control}/inbox` with
 * a `username` posts all of that creator's drafts, publicly.
 *
 * An uploaded video goes live with its last chunk, fetched files once they are processed. The fault `drop-reply` on
 * `video.upload` loses the answer to a stored chunk. Faults on the step `processing` (`error:<fail_reason>` or `timeout`) apply
 * afterwards.
 *
 * Limits: calls per minute and token; per 24 hours, posts and pending drafts of a creator, and active creators of the app.
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
      pendingSharesPerDay: 5,
      usersPerDay: 1_000,
      unauditedUsersPerDay: 5,
    },
    settings: {
      ...appScopeSettings,
      processingSeconds: 5,
      /** Seconds from the end of processing until the status shows the id of a public post. */
      postIdDelaySeconds: 2,
      /** True if the list of videos includes photo posts. TikTok does not document this. */
      photosAreListed: true,
      /** An app that has not passed TikTok's audit can only post to private accounts, with `SELF_ONLY`. */
      unaudited: false,
      verifiedDomains: [],
      accessTokenSeconds: 7_200,
      /** The HTTP status with which the token endpoint refuses. */
      oauthErrorStatus: 200,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      const gate = openGate(workbench, state);
      const standing = openStanding(workbench, state);
      const ending = openEnding(workbench, state, standing);
      const fetching = openFetching(workbench, state, ending);
      const files = workbench.openFiles('tiktok-uploads');
      return {
        operations: [
          ...oauthOperations(workbench, state, app),
          ...readingOperations(workbench, state, gate, standing),
          ...insightsOperations(workbench, state, gate),
          ...initOperations(workbench, state, gate, standing, fetching),
          ...uploadOperations(state, files, ending),
          ...statusOperations(workbench, state, gate),
        ],
        controls: tiktokControls(workbench, state),
        steps: [processingStep],
        settle: ending.goLive,
        nextSettleMs: ending.nextMs,
        error: plannedError,
        rateLimited,
        expireToken({ bearer, query, at }) {
          const uploading = state.publishes.get(query.get('upload_id') ?? '')?.token;
          expireToken(state.accessTokens, bearer ?? uploading, at);
        },
        unknownPath: () => errorAnswer('invalid_params', 'Unsupported path(Janus)', 404),
        accounts: () => listAccounts(state),
      };
    },
  };
}

function rateLimited({ operation }: Call) {
  if (operation === 'video.upload') return { status: 429 };
  if (operation.startsWith('oauth.')) return oauthError('rate_limit_exceeded', 'Too many requests', 429);
  return errorAnswer('rate_limit_exceeded');
}
