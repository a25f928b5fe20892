import { expireToken } from '../kit/login/user-tokens.ts';
import type { Operation, Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { boardOperations } from './boards.ts';
import { listAccounts, pinterestControls, seedUser, type UserSeed } from './controls.ts';
import { errorAnswer, plannedError, rateLimitAnswer, rateLimitHeaders } from './errors.ts';
import { openGate } from './gate.ts';
import { insightsOperations } from './insights.ts';
import { mediaOperations, processingStep } from './media.ts';
import { oauthOperations, type PinterestApp } from './oauth.ts';
import { pinOperations } from './pins.ts';
import { readingOperations } from './reading.ts';
import { openState, sandboxHost } from './state.ts';

export interface PinterestOptions {
  readonly app: PinterestApp;
  /** The users that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines Pinterest: `www.pinterest.com` for consent, `api.pinterest.com` for the REST API v5, `api-sandbox.pinterest.com` for
 * the same API in the sandbox, and the S3 host for uploads of videos. Images are fetched from their address during the call that
 * creates the Pin.
 */
export function pinterest({ app, users }: PinterestOptions): PlatformDefinition {
  return {
    name: 'pinterest',
    limits: {
      readsPerMinute: 1_000,
      writesPerMinute: 100,
      trialReadsPerDay: 1_000,
      trialWritesPerDay: 300,
    },
    settings: {
      /** `standard` or `trial`. With `trial`, the app can create Pins in the sandbox only. */
      access: 'standard',
      videoProcessingSeconds: 10,
      /** Seconds after the registration in which an upload may start. */
      uploadSeconds: 3_600,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(state, user);
      const gate = openGate(workbench, state);
      return {
        operations: [
          ...oauthOperations(app, workbench, state),
          ...insightsOperations(workbench, state, gate),
          ...readingOperations(workbench, state, gate),
          ...boardOperations(workbench, state, gate),
          ...mediaOperations(workbench, state, gate),
          ...pinOperations(workbench, state, gate),
        ].flatMap((operation) => [operation, ...inSandbox(operation)]),
        controls: pinterestControls(workbench, state),
        steps: [processingStep],
        error: plannedError,
        rateLimited: () => rateLimitAnswer(workbench.limit('writesPerMinute'), 30),
        expireToken: ({ bearer, at }) => expireToken(state.accessTokens, bearer, at),
        unknownPath: () => errorAnswer('404/1'),
        headers(call) {
          if (call.host !== 'api.pinterest.com' && call.host !== sandboxHost) return {};
          const { limit, remaining, seconds } = gate.usage(call);
          return rateLimitHeaders(limit, remaining, seconds);
        },
        accounts: () => listAccounts(state),
      };
    },
  };
}

/** Returns the operation's twin in the sandbox, if it is an operation of the API. */
function inSandbox(operation: Operation): Operation[] {
  const [host, ...path] = operation.pattern.split('/');
  return host === 'api.pinterest.com' ? [{ ...operation, pattern: [sandboxHost, ...path].join('/') }] : [];
}
