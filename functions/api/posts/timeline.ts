import { readTimelineOperation } from '../../../lib/posts/operations.ts';
import { readTimeline } from '../../../lib/posts/timeline.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/posts/{id}/timeline` */
export const build = apiHandler(readTimelineOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: { timeline: await readTimeline(context, path.id) },
}));
