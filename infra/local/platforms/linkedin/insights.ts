import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { daysBetween } from '../kit/numbers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { requireScopes } from './reading.ts';
import { mayPublishAs, personUrn, type State } from './state.ts';

const counts = [
  'impressionCount',
  'uniqueImpressionsCount',
  'likeCount',
  'commentCount',
  'shareCount',
  'clickCount',
];
const queryTypes = ['IMPRESSION', 'MEMBERS_REACHED', 'RESHARE', 'REACTION', 'COMMENT', 'POST_SAVE'];

/** Reads a list in Rest.li's syntax: `List(a,b)`. */
const listOf = (text: string | null) => /^List\((.*)\)$/.exec(text ?? '')?.[1]?.split(',') ?? [];

export function insightsOperations({ numbers, reads }: Workbench, state: State, gate: Gate): Operation[] {
  /**
   * The statistics of an organization's posts, or of its days. Posts that nobody has seen are left out.
   * https://learn.microsoft.com/linkedin/marketing/community-management/organizations/share-statistics
   */
  function shareStatistics(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    requireScopes(token.scopes, ['rw_organization_admin']);
    const { query } = call;
    const organization = query.get('organizationalEntity') ?? '';
    if (numbers.isRefused || !mayPublishAs(state, member.username, organization)) refuse('ACCESS_DENIED');
    const range = /timeRange:\(start:(\d+),end:(\d+)\)/.exec(query.get('timeIntervals') ?? '');
    if (range) {
      const days = daysBetween(Number(range[1]), Number(range[2]));
      const elements = days.map((day) => ({
        organizationalEntity: organization,
        timeRange: { start: Date.parse(day), end: Date.parse(day) + 86_400_000 },
        totalShareStatistics: totals((name) => numbers.ofDay(organization, name, day, call.at)),
      }));
      return json({ elements, paging: { start: 0, count: 10, links: [] } });
    }
    const elements = reads.ofState(call, ({ at }) =>
      (['shares', 'ugcPosts'] as const).flatMap((kind) =>
        listOf(query.get(kind)).flatMap((urn) => {
          const post = state.posts.get(urn);
          const counted = post && totals((name) => numbers.total(urn, name, post.publishedAt, at));
          if (post?.author !== organization || counted?.['impressionCount'] === undefined) return [];
          const named = kind === 'shares' ? { share: urn } : { ugcPost: urn };
          return [{ organizationalEntity: organization, ...named, totalShareStatistics: counted }];
        }),
      ),
    );
    return json({ elements, paging: { start: 0, count: 10, links: [] } });
  }

  const totals = (numberOf: (name: string) => number | undefined): Record<string, number | undefined> =>
    Object.fromEntries(counts.map((name) => [name, numberOf(name)]));

  /** https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-lookup-api */
  function networkSize(call: Call): Answer {
    const { token } = gate.checkCall(call);
    requireScopes(token.scopes, ['rw_organization_admin']);
    const urn = call.params['urn'] ?? '';
    return json({ firstDegreeSize: numbers.followers(urn, 'firstDegreeSize', call.at) });
  }

  /** https://learn.microsoft.com/linkedin/marketing/community-management/members/post-statistics */
  function memberAnalytics(call: Call): Answer {
    const { token, member } = gate.checkCall(call);
    requireScopes(token.scopes, ['r_member_postAnalytics']);
    if (numbers.isRefused) refuse('ACCESS_DENIED');
    const { query } = call;
    const type = query.get('queryType') ?? '';
    if (!queryTypes.includes(type)) refuse('ILLEGAL_ARGUMENT', 'queryType');
    const urn = personUrn(member, token.app);
    if (query.get('q') === 'me') {
      const [start, end] = [
        ...(query.get('dateRange') ?? '').matchAll(/year:(\d+),month:(\d+),day:(\d+)/g),
      ].map(([, year, month, day]) => Date.UTC(Number(year), Number(month) - 1, Number(day)));
      const elements = daysBetween(start ?? 0, end ?? 0).flatMap((day) => {
        const count = numbers.ofDay(urn, type, day, call.at);
        const [year, month, date] = day.split('-').map(Number);
        return count === undefined ? [] : [{ count, dateRange: { start: { year, month, day: date } } }];
      });
      return json({ elements, paging: { start: 0, count: 10, links: [] } });
    }
    const [, entity = ''] = /^\((?:share|ugc):(.+)\)$/.exec(query.get('entity') ?? '') ?? [];
    const post = state.posts.get(entity);
    if (post?.author !== urn) refuse('NOT_FOUND');
    const count = numbers.total(entity, type, post.publishedAt, call.at);
    return json({
      elements: count === undefined ? [] : [{ count }],
      paging: { start: 0, count: 10, links: [] },
    });
  }

  const rest = 'api.linkedin.com/rest';
  return [
    operation('shareStatistics', 'GET', `${rest}/organizationalEntityShareStatistics`, shareStatistics),
    operation('networkSizes', 'GET', `${rest}/networkSizes/:urn`, networkSize),
    operation('memberAnalytics', 'GET', `${rest}/memberCreatorPostAnalytics`, memberAnalytics),
  ];
}
