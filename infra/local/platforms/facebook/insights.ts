import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { daysBetween } from '../kit/numbers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { unknownPath } from '../meta/graph-errors.ts';
import { daily, lifetime, metricsOf, periodOf } from '../meta/insights.ts';
import { listField, textField } from '../meta/parameters.ts';
import { refuse } from './errors.ts';
import type { Graph } from './graph.ts';
import type { PageSession } from './sessions.ts';
import type { State } from './state.ts';

/** https://developers.facebook.com/docs/graph-api/reference/insights. Those of impressions ended on 15 June 2026. */
const postMetrics = ['post_media_view', 'post_total_media_view_unique', 'post_clicks'];
const pageMetrics = [
  'page_follows',
  'page_media_view',
  'page_total_media_view_unique',
  'page_post_engagements',
  'page_views_total',
];

/** "Maximum number of IDs is 50." */
const mostIds = 50;

/** Reads the numbers of posts, several by their `ids`, and of a Page. Insights need `read_insights`. */
export function insightsOperations(graph: Graph, { numbers, reads }: Workbench, state: State): Operation[] {
  /** Reads objects by `ids`. If one does not exist, all are refused. https://developers.facebook.com/docs/graph-api/batch-requests */
  function readByIds(call: Call, session: PageSession): Answer {
    const ids = listField(call.fields, 'ids') ?? [];
    if (ids.length === 0 || ids.length > mostIds) return refuse('100', '(#100) Invalid parameter ids');
    const fields = textField(call.fields, 'fields') ?? '';
    const entries = ids.map((id) => [id, fieldsOf(id, fields, call, session)] as const);
    const missing = entries.flatMap(([id, known]) => (known === undefined ? [id] : []));
    if (missing.length > 0)
      return refuse('803', `(#803) Some of the aliases you requested do not exist: ${missing.join(',')}`);
    return json(Object.fromEntries(entries));
  }

  function fieldsOf(id: string, fields: string, call: Call, { page, token }: PageSession) {
    const video = state.videos.get(id);
    if (video?.pageId === page.id) {
      const post = state.posts.list({ owner: page.id }).find(({ videoId }) => videoId === id);
      return { id, ...(post && { post_id: post.id.split('_').at(-1) }) };
    }
    const post = state.posts.get(id);
    if (post?.pageId !== page.id) return undefined;
    const totalOf = (name: string) => numbers.total(id, name, post.publishedAt, call.at);
    const summary = (name: string) => {
      const total = totalOf(name);
      return total === undefined ? undefined : { data: [], summary: { total_count: total } };
    };
    const wantsInsights = /\binsights\b/.test(fields);
    if (wantsInsights && (numbers.isRefused || !token.scopes.includes('read_insights'))) refuse('200');
    const shares = totalOf('shares');
    return {
      id,
      ...(wantsInsights && { insights: lifetime(postMetrics, totalOf) }),
      reactions: summary('reactions'),
      comments: summary('comments'),
      // The field is left out of posts that nobody has shared.
      ...(shares && { shares: { count: shares } }),
    };
  }

  function pageInsights(call: Call, { page }: PageSession): Answer {
    if (numbers.isRefused) return refuse('200');
    const metrics = metricsOf(call.fields, pageMetrics, (message) => refuse('100', message));
    const { since, until } = periodOf(call.fields, call.at);
    const numberOf = (name: string, day: string) =>
      name === 'page_follows'
        ? numbers.followers(page.id, name, Date.parse(day))
        : numbers.ofDay(page.id, name, day, call.at);
    return json(daily(metrics, daysBetween(since, until), numberOf));
  }

  return [
    operation('objects_by_ids', 'GET', 'graph.facebook.com/:version/', (call) =>
      graph.serves(call)
        ? reads.ofState(call, (seen) => readByIds(seen, graph.checkPageCall(call, 'pages_read_engagement')))
        : unknownPath(call),
    ),
    graph.page('page_insights', 'GET', ':pageId/insights', 'read_insights', pageInsights),
  ];
}
