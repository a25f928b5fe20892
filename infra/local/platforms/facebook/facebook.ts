import { appScopeSettings } from '../kit/login/app-scopes.ts';
import type { Platform, PlatformDefinition, Workbench } from '../kit/types.ts';
import { type MetaApp, metaPlatform } from '../meta/platform.ts';
import { openUsage } from '../meta/usage.ts';
import { facebookControls, listAccounts, seedUser, type UserSeed } from './controls.ts';
import { plannedError } from './errors.ts';
import { feedOperations } from './feed.ts';
import { openGraph } from './graph.ts';
import { insightsOperations } from './insights.ts';
import { facebookLogin } from './login.ts';
import { pageOperations } from './pages.ts';
import { photoOperations } from './photos.ts';
import { openPublishing } from './publishing.ts';
import { readingOperations } from './reading.ts';
import { tokenOf } from './sessions.ts';
import { openState } from './state.ts';
import { openVideoFiles } from './video-files.ts';
import { processingStep, uploadOperations, videoOperations } from './videos.ts';

export interface FacebookOptions {
  readonly app: MetaApp;
  /** The people that can log in. Tests can add more at the control address. */
  readonly users: readonly UserSeed[];
}

/**
 * Defines Facebook Pages: `www.`, `graph.`, `graph-video.` and `rupload.facebook.com`.
 *
 * Limits: `reels` per Page in 24 hours, `callsPerHour` of the app.
 */
export function facebook({ app, users }: FacebookOptions): PlatformDefinition {
  return {
    name: 'facebook',
    limits: { reels: 30, callsPerHour: 48_000 },
    settings: {
      ...appScopeSettings,
      videoProcessingSeconds: 5,
      /** The size of the part that each `transfer` uploads. */
      chunkBytes: 4 * 1024 * 1024,
      /** "Page Photos" says 10 MB, the text of error 1366046 says 4 MB. */
      largestPhotoBytes: 10 * 1024 * 1024,
      /** True if Facebook refuses a second post with the same photos (1366051) or the same text (506). */
      duplicateCheck: true,
      /** The id of a configuration of Facebook Login for Business with all scopes; empty: none. */
      loginConfigId: '',
      /** True if Pages archive their stories. Only archived stories are listed. */
      storyArchive: true,
      /** The largest page size of lists of Pages, even if the call requests more. */
      pagesAtOnce: 100,
      /** True if the `post_id` of a video is the whole id of its post. Otherwise it is only the part after the Page's id. */
      completePostIds: false,
      /** True if the app may read comments without the permission `pages_read_user_content`. */
      pagePublicContentAccess: false,
      /** The status of a finished phase. The text of the documentation says `completed`. */
      completeWord: 'complete',
      /** The `estimated_time_to_regain_access` of a rate-limited answer, in minutes. */
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
          ...videoOperations(graph, workbench, state, publishing, files),
          ...uploadOperations(graph, state, files),
          ...insightsOperations(graph, workbench, state),
          ...readingOperations(graph, workbench, state),
        ],
        controls: facebookControls(workbench, state, app),
        steps: [processingStep],
        error: plannedError,
        ...metaPlatform(usage, state.tokens, tokenOf),
        settle: publishing.settle,
        nextSettleMs: publishing.nextSettleMs,
        accounts: () => listAccounts(state, workbench.clock.now()),
      };
    },
  };
}
