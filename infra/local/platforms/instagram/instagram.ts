import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { metaPlatform } from '../meta/platform.ts';
import { tokenOf } from '../meta/tokens.ts';
import { openUsage } from '../meta/usage.ts';
import { commentOperations } from './comments.ts';
import { openContainers, processingStep } from './containers.ts';
import { instagramControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { graphOperations } from './graph.ts';
import { type InstagramApp, instagramLogin } from './login.ts';
import { messageOperations } from './messages.ts';
import { peopleControls } from './people-controls.ts';
import { publishingOperations } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { openState } from './state.ts';
import { subscriptionOperations } from './subscriptions.ts';
import { openWebhooks } from './webhooks.ts';

export interface InstagramOptions {
  readonly app: InstagramApp;
  /** Who can log in; more can be added at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Instagram with Instagram Login (variant A of the platform facts): `www.`, `api.` and `graph.instagram.com`.
 *
 * Limits: `containers` and `posts` in 24 hours of an account, `privateRepliesPerHour` of an account, `callsPerHour` of
 * the app.
 */
export function instagram({ app, users }: InstagramOptions): PlatformDefinition {
  return {
    name: 'instagram',
    limits: { containers: 400, posts: 100, privateRepliesPerHour: 750, callsPerHour: 48_000 },
    settings: {
      imageProcessingSeconds: 1,
      videoProcessingSeconds: 5,
      /** `flat`: the three keys at top level; `data`: within a list, as the documentation has it. */
      tokenAnswer: 'flat',
      /** The first read of each container and each media answers 100/33. */
      firstReadMissing: false,
      /** How long a published container still reads as FINISHED. */
      publishedStatusDelaySeconds: 0,
      /** How long live media are missing from the account's list. */
      listingDelaySeconds: 0,
      /** Whether reels with `share_to_feed=false` are in that list. */
      listUnsharedReels: true,
      /** Where button templates are taken: `everywhere`, `messages only` (not in private replies), or `refused`. */
      templates: 'everywhere',
      /** Whether conversations show the text of a template; else it reads as empty. */
      templateTextListed: false,
      /** Every how many deliveries of webhooks one comes twice; 0: none. */
      webhookTwiceEvery: 7,
      /** What a rate-limited answer names as the wait. */
      regainAccessMinutes: 5,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(workbench, state, user);
      const usage = openUsage(workbench, {
        hosts: ['graph.instagram.com'],
        useCase: 'instagram',
        accountOf: (call) => state.tokens.get(tokenOf(call) ?? '')?.igId,
      });
      const containers = openContainers(workbench, state);
      const webhooks = openWebhooks(workbench, state, app);
      const graph = graphOperations(state, usage);
      return {
        operations: [
          ...instagramLogin(workbench, state, app),
          ...publishingOperations(graph, workbench, state, containers),
          ...readingOperations(graph, workbench, state, containers),
          ...commentOperations(graph, workbench, state, webhooks),
          ...messageOperations(graph, workbench, state, webhooks),
          ...subscriptionOperations(graph, state, app.id),
        ],
        controls: [...instagramControls(workbench, state), ...peopleControls(workbench, state, webhooks)],
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        accounts: () => listAccounts(state, workbench.clock.now()),
        async stop() {
          await Promise.all([containers.stop(), webhooks.stop()]);
        },
      };
    },
  };
}
