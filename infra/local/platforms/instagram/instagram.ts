import { appScopeSettings } from '../kit/login/app-scopes.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { metaPlatform } from '../meta/platform.ts';
import { tokenOf } from '../meta/tokens.ts';
import { openUsage } from '../meta/usage.ts';
import { commentOperations } from './comments.ts';
import { openContainers, processingStep } from './containers.ts';
import { instagramControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { graphOperations } from './graph.ts';
import { insightsOperations } from './insights.ts';
import { type InstagramApp, instagramLogin } from './login.ts';
import { messageOperations } from './messages.ts';
import { peopleControls } from './people-controls.ts';
import { pictureOperation } from './pictures.ts';
import { publishingOperations } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { openState } from './state.ts';
import { openWebhooks, subscriptionOperations } from './webhooks.ts';

export interface InstagramOptions {
  readonly app: InstagramApp;
  /** The users that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines the Instagram API with Instagram Login: `www.`, `api.` and `graph.instagram.com`.
 *
 * Limits: per account `containers` and `posts` in 24 hours and `privateRepliesPerHour`; `callsPerHour` of the app.
 */
export function instagram({ app, users }: InstagramOptions): PlatformDefinition {
  return {
    name: 'instagram',
    limits: { containers: 400, posts: 100, privateRepliesPerHour: 750, callsPerHour: 48_000 },
    settings: {
      ...appScopeSettings,
      imageProcessingSeconds: 1,
      videoProcessingSeconds: 5,
      /** `flat`: the answer has its three keys at top level; `data`: in a list, as documented. */
      tokenAnswer: 'flat',
      /** True if the first read of each container and each media answers 100/33. */
      firstReadMissing: false,
      /** True if the status of a container has no `status_code`. */
      omitsStatusCode: false,
      /** True if publishing a container again makes a second post. Meta documents neither this nor a refusal. */
      publishesAgain: false,
      /** True if videos with an edit list, or with their index (moov) at the end, are refused. */
      refusesUnadvisedVideos: false,
      /** True if containers created now read FINISHED, but are lost: they cannot be published. */
      losesContainers: false,
      /** False if the API with Instagram Login refuses `location_id`. */
      takesLocations: true,
      /** The most hashtags of a caption. Meta's reference says 30; Instagram's apps allow 5 since December 2025. */
      hashtags: 30,
      /** True if that list includes reels with `share_to_feed=false`. */
      listUnsharedReels: true,
      /** The places that accept button templates: `everywhere`, `messages only` (not in private replies), or `refused`. */
      templates: 'everywhere',
      /** True if conversations show the text of a template. Otherwise the text is empty. */
      templateTextListed: false,
      /** Every n-th webhook delivery is sent twice; 0 means none. */
      webhookTwiceEvery: 7,
      /** The `estimated_time_to_regain_access` of a rate-limited answer, in minutes. */
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
          ...insightsOperations(graph, workbench, state),
          ...readingOperations(graph, workbench, state, containers),
          pictureOperation(state),
          ...commentOperations(graph, workbench, state, webhooks),
          ...messageOperations(graph, workbench, state, webhooks),
          ...subscriptionOperations(graph, state, app.id),
        ],
        controls: [
          ...instagramControls(workbench, state, app),
          ...peopleControls(workbench, state, webhooks),
        ],
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        accounts: () => listAccounts(state, workbench.clock.now()),
      };
    },
  };
}
