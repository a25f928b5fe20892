import { appScopeSettings } from '../kit/login/app-scopes.ts';
import { expireToken } from '../kit/login/user-tokens.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { assetOperations, processingStep } from './assets.ts';
import { commentOperations } from './comments.ts';
import { linkedinControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { errorAnswer, plannedError } from './errors.ts';
import { openGate } from './gate.ts';
import { insightsOperations } from './insights.ts';
import { type LinkedinApp, oauthOperations } from './oauth.ts';
import { postOperations } from './posts.ts';
import { readingOperations } from './reading.ts';
import { openState } from './state.ts';

export interface LinkedinOptions {
  /** The app with the products "Sign In with OpenID Connect" and "Share on LinkedIn". */
  readonly app: LinkedinApp;
  /** The app with the product "Community Management API". */
  readonly organizationApp: LinkedinApp;
  /** The members that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines LinkedIn: `www.linkedin.com` for consent, tokens and uploads, `api.linkedin.com` for the versioned API and userinfo.
 *
 * Limits: calls per day for each app and for each of its members. Days begin at midnight UTC. The organization app has the
 * Standard tier, for which LinkedIn publishes no numbers.
 */
export function linkedin({ app, organizationApp, users }: LinkedinOptions): PlatformDefinition {
  return {
    name: 'linkedin',
    limits: {
      memberMemberCallsPerDay: 150,
      memberAppCallsPerDay: 100_000,
      organizationMemberCallsPerDay: 1_000_000,
      organizationAppCallsPerDay: 1_000_000,
    },
    settings: {
      ...appScopeSettings,
      activeVersions: [
        '202512',
        '202601',
        '202602',
        '202603',
        '202604',
        '202605',
        '202606',
        '202607',
        '202608',
        '202609',
      ],
      imageProcessingSeconds: 2,
      documentProcessingSeconds: 5,
      videoProcessingSeconds: 10,
      /** The status of a successful upload of a file: the documentation shows 201, and promises no number. */
      uploadStatus: 201,
      /**
       * True if posts are read with `lnkd.in` addresses in place of their URLs, as LinkedIn shows them.
       * https://github.com/activepieces/activepieces/issues/3703
       */
      shortensUrls: true,
      /** A new post is listed some seconds later, as on other platforms. LinkedIn documents no time: our judgement. */
      listLagSeconds: 3,
      /** True if LinkedIn refuses the same text and media from the same author, for `duplicateWindowSeconds`. */
      duplicateCheck: true,
      duplicateWindowSeconds: 600,
      /** True if the refusal of a duplicate names a post that does not exist. */
      namesMissingDuplicates: false,
      /** Seconds for which a post has the state PUBLISH_REQUESTED. */
      visibilityDelaySeconds: 0,
      /** True if accepted posts end as PUBLISH_FAILED. */
      publishingFails: false,
      /** True if the scopes that an earlier documentation names for comments suffice for writing one. */
      formerCommentScopes: false,
      /** True if LinkedIn offers an upload of a video's cover to an app that asks for it. */
      takesCovers: true,
      /** True if a member token can read videos. Observed in practice, but not documented. */
      membersReadVideos: true,
      /** True if members get refresh tokens. LinkedIn gives them only to approved partners. */
      memberRefreshTokens: false,
      organizationRefreshTokens: true,
      /** `organization` or `organizationTarget`: the documentation and live data differ. */
      aclKey: 'organization',
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      const gate = openGate(workbench, state);
      const files = workbench.openFiles('linkedin-uploads');
      return {
        operations: [
          ...oauthOperations(workbench, state, { member: app, organization: organizationApp }),
          ...readingOperations(workbench, state, gate),
          ...insightsOperations(workbench, state, gate),
          ...assetOperations(workbench, state, gate, files),
          ...postOperations(workbench, state, gate),
          ...commentOperations(workbench, state, gate),
        ],
        controls: linkedinControls(workbench, state),
        steps: [processingStep],
        error: plannedError,
        rateLimited: () => errorAnswer('TOO_MANY_REQUESTS'),
        expireToken: ({ bearer, at }) => expireToken(state.accessTokens, bearer, at),
        unknownPath: () => errorAnswer('RESOURCE_NOT_FOUND'),
        headers: () => ({ 'x-li-uuid': workbench.random.uuid(), 'x-li-fabric': 'prod-lva1' }),
        accounts: () => listAccounts(state),
      };
    },
  };
}
