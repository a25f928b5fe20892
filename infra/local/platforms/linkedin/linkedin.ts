import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expireToken } from '../kit/login/user-tokens.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { openAssetFiles } from './asset-files.ts';
import { assetOperations, processingStep } from './assets.ts';
import { linkedinControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { errorAnswer, plannedError } from './errors.ts';
import { openGate } from './gate.ts';
import { type LinkedinApp, oauthOperations } from './oauth.ts';
import { postOperations } from './posts.ts';
import { readingOperations } from './reading.ts';
import { openState } from './state.ts';

export interface LinkedinOptions {
  /** With the products Sign In with OpenID Connect and Share on LinkedIn. */
  readonly app: LinkedinApp;
  /** With the Community Management API. */
  readonly organizationApp: LinkedinApp;
  /** Who can log in; more can be added at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * LinkedIn: `www.linkedin.com` for consent, tokens and uploads, `api.linkedin.com` for the versioned API and userinfo.
 *
 * Limits: calls a day of each app and of each of its members, anew at midnight UTC; the organization app is one of the
 * Standard tier, for which LinkedIn names no number.
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
      duplicateWindowSeconds: 600,
      /** How long a live post is missing from the finder. */
      listingDelaySeconds: 0,
      /** How long a post reads as PUBLISH_REQUESTED. */
      visibilityDelaySeconds: 0,
      /** Posts that were accepted end as PUBLISH_FAILED. */
      publishingFails: false,
      /** Seen in practice, not documented. */
      membersReadVideos: true,
      /** Only approved partners are given refresh tokens. */
      memberRefreshTokens: false,
      organizationRefreshTokens: true,
      /** The documentation and live data differ: `organization` or `organizationTarget`. */
      aclKey: 'organization',
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      const gate = openGate(workbench, state);
      const files = openAssetFiles(join(workbench.dataDirectory, 'linkedin-uploads'));
      return {
        operations: [
          ...oauthOperations(workbench, state, { member: app, organization: organizationApp }),
          ...readingOperations(workbench, state, gate),
          ...assetOperations(workbench, state, gate, files),
          ...postOperations(workbench, state, gate),
        ],
        controls: linkedinControls(state),
        steps: [processingStep],
        error: plannedError,
        rateLimited: () => errorAnswer('TOO_MANY_REQUESTS'),
        expireToken: ({ bearer, at }) => expireToken(state.accessTokens, bearer, at),
        unknownPath: () => errorAnswer('RESOURCE_NOT_FOUND'),
        headers: () => ({ 'x-li-uuid': randomUUID(), 'x-li-fabric': 'prod-lva1' }),
        accounts: () => listAccounts(state),
      };
    },
  };
}
