import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import type { MetaApp } from '../meta/login.ts';
import { metaPlatform } from '../meta/platform.ts';
import { openUsage } from '../meta/usage.ts';
import { facebookControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { feedOperations } from './feed.ts';
import { openGraph } from './graph.ts';
import { facebookLogin } from './login.ts';
import { pageOperations } from './pages.ts';
import { photoOperations } from './photos.ts';
import { openPublishing } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { uploadOperations } from './rupload.ts';
import { tokenOf } from './sessions.ts';
import { openState } from './state.ts';
import { openVideoFiles } from './video-files.ts';
import { processingStep, videoOperations } from './videos.ts';

export interface FacebookOptions {
  readonly app: MetaApp;
  /** Who can log in; more can be added at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Facebook Pages: `www.`, `graph.`, `graph-video.` and `rupload.facebook.com`.
 *
 * Limits: `reels` in 24 hours of a Page, `callsPerHour` of the app.
 */
export function facebook({ app, users }: FacebookOptions): PlatformDefinition {
  return {
    name: 'facebook',
    limits: { reels: 30, callsPerHour: 48_000 },
    settings: {
      videoProcessingSeconds: 5,
      /** How much of a video one `transfer` carries. */
      chunkBytes: 4 * 1024 * 1024,
      /** How long live posts are missing from `published_posts`. */
      listingDelaySeconds: 0,
      /** Whether the Page keeps its stories: only then are they listed. */
      storyArchive: true,
      /** Pages in one answer of `me/accounts`, whatever limit is asked for. */
      pagesAtOnce: 100,
      /** The word for a phase that is over; `completed` in the documentation's text. */
      completeWord: 'complete',
      /** What a rate-limited answer names as the wait. */
      regainAccessMinutes: 5,
    },
    open(workbench: Workbench): Platform {
      const state = openState(workbench.ledger);
      for (const user of users) seedUser(workbench, state, user);
      const usage = openUsage(workbench, {
        hosts: ['graph.facebook.com', 'graph-video.facebook.com'],
        useCase: 'pages',
        accountOf: (call) => state.tokens.get(tokenOf(call) ?? '')?.pageId,
      });
      const graph = openGraph(state, usage, app);
      const publishing = openPublishing(workbench, state);
      const files = openVideoFiles(workbench, state, publishing);
      return {
        operations: [
          ...facebookLogin(workbench, state, app),
          ...pageOperations(graph, workbench, state),
          ...feedOperations(graph, workbench, state, publishing),
          ...photoOperations(graph, workbench, state, publishing),
          ...videoOperations(graph, workbench, state, files),
          ...uploadOperations(graph, state, files),
          ...readingOperations(graph, workbench, state, publishing),
        ],
        controls: facebookControls(workbench, state),
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        accounts: () => listAccounts(state, workbench.clock.now()),
        stop: files.stop,
      };
    },
  };
}
