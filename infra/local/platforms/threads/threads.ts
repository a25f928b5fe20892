import { appScopeSettings } from '../kit/login/app-scopes.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { type MetaApp, metaPlatform } from '../meta/platform.ts';
import { tokenOf } from '../meta/tokens.ts';
import { openUsage } from '../meta/usage.ts';
import { openContainers, processingStep } from './containers.ts';
import { listAccounts, seedUser, threadsControls, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { insightsOperations } from './insights.ts';
import { threadsLogin } from './login.ts';
import { publishingOperations } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { threadsOperations } from './sessions.ts';
import { openState } from './state.ts';

export interface ThreadsOptions {
  readonly app: MetaApp;
  /** The users that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Threads: `threads.net` and `graph.threads.net`.
 *
 * Limits: `posts` and `replies` per account in 24 hours, `callsPerHour` of the app.
 */
export function threads({ app, users }: ThreadsOptions): PlatformDefinition {
  return {
    name: 'threads',
    limits: { posts: 250, replies: 1_000, callsPerHour: 48_000 },
    settings: {
      ...appScopeSettings,
      /** The processing time of everything except videos, including text posts. */
      processingSeconds: 1,
      videoProcessingSeconds: 5,
      /**
       * True if a text may have 500 bytes, as https://github.com/gitroomhq/postiz-app/pull/1946 has seen. Documented: 500 characters,
       * and the bytes of emoji.
       */
      countsBytes: false,
      /** True if videos with an edit list, or with their index (moov) at the end, are refused. */
      refusesUnadvisedVideos: false,
      /** True if publishing a container again makes a second post. Meta documents neither this nor a refusal. */
      publishesAgain: false,
      /** True if containers created now read FINISHED, but are lost: they cannot be published. */
      losesContainers: false,
      /**
       * Seconds from the creation of a container until it can be published. Earlier it reads FINISHED all the same, and an
       * attempt to publish it loses it. "Posts" recommends a wait of 30 seconds on average; without one, three public
       * projects have seen containers that read FINISHED and were answered with 4279009.
       */
      settlingSeconds: 0,
      /** True if `debug_token` inspects everyone's tokens. Otherwise only those of the app's testers, and here there are none. */
      inspectsTokens: true,
      /** Seconds until a new post can be replied to. */
      replyDelaySeconds: 0,
      /** The answer to an expired or invalidated token: `190`, or `missing` as Threads sometimes answers. */
      deadTokenAnswer: '190',
      /** The `estimated_time_to_regain_access` of a rate-limited answer, in minutes. */
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
          ...insightsOperations(operations, workbench, state),
          ...readingOperations(operations, workbench, state, containers),
        ],
        controls: threadsControls(workbench, state, app),
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        accounts: () => listAccounts(state, workbench.clock.now()),
      };
    },
  };
}
