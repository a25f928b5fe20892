import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import type { MetaApp } from '../meta/login.ts';
import { metaPlatform } from '../meta/platform.ts';
import { tokenOf } from '../meta/tokens.ts';
import { openUsage } from '../meta/usage.ts';
import { openContainers, processingStep } from './containers.ts';
import { listAccounts, seedUser, threadsControls, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { threadsLogin } from './login.ts';
import { publishingOperations } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { threadsOperations } from './sessions.ts';
import { openState } from './state.ts';

export interface ThreadsOptions {
  readonly app: MetaApp;
  /** Who can log in; more can be added at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Threads: `threads.net` and `graph.threads.net`.
 *
 * Limits: `posts` and `replies` in 24 hours of an account, `callsPerHour` of the app.
 */
export function threads({ app, users }: ThreadsOptions): PlatformDefinition {
  return {
    name: 'threads',
    limits: { posts: 250, replies: 1_000, callsPerHour: 48_000 },
    settings: {
      /** Of everything but videos, texts included. */
      processingSeconds: 1,
      videoProcessingSeconds: 5,
      /** How long a published container still reads as FINISHED. */
      publishedStatusDelaySeconds: 0,
      /** How long live posts are missing from the account's lists. */
      listingDelaySeconds: 0,
      /** How long a new post cannot be replied to. */
      replyDelaySeconds: 0,
      /** What a call with a dead token answers: `190`, or `missing` as it does at times. */
      deadTokenAnswer: '190',
      /** What a rate-limited answer names as the wait. */
      regainAccessMinutes: 5,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(workbench, state, user);
      const usage = openUsage(workbench, {
        hosts: ['graph.threads.net'],
        useCase: 'threads',
        accountOf: (call) => state.tokens.get(tokenOf(call) ?? '')?.userId,
      });
      const containers = openContainers(workbench, state);
      const operations = threadsOperations(workbench, state, usage);
      return {
        operations: [
          ...threadsLogin(workbench, state, app),
          ...publishingOperations(operations, workbench, state, containers),
          ...readingOperations(operations, workbench, state, containers),
        ],
        controls: threadsControls(workbench, state),
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        accounts: () => listAccounts(state, workbench.clock.now()),
        stop: containers.stop,
      };
    },
  };
}
