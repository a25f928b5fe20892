import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { page as onePage } from '../meta/paging.ts';
import { selectFields } from '../meta/parameters.ts';
import { refuse } from './errors.ts';
import type { Graph } from './graph.ts';
import type { Session } from './sessions.ts';
import type { Page, State, Token } from './state.ts';

/** Reads a person, their permissions, their businesses and their Pages. */
export function pageOperations(graph: Graph, workbench: Workbench, state: State): Operation[] {
  function permissions(_: Call, session: Session): Answer {
    const { token } = asPerson(session);
    const entry = (status: string) => (permission: string) => ({ permission, status });
    return json({ data: [...token.scopes.map(entry('granted')), ...token.declined.map(entry('declined'))] });
  }

  function listPages(call: Call, session: Session): Answer {
    const { token } = asPerson(session);
    const own = visiblePages(session).filter(
      ({ businessId, isListedTwice }) => businessId === undefined || isListedTwice,
    );
    return pagesAnswer(call, own, (page) => ({ ...pageFields(page, token), tasks: page.tasks }));
  }

  function listBusinesses(call: Call, session: Session): Answer {
    asPerson(session);
    const ids = new Set(visiblePages(session).flatMap(({ businessId }) => businessId ?? []));
    const businesses = [...ids].map((id) => ({ id, name: `Business ${id}` }));
    return json(onePage(call, businesses, (business) => business));
  }

  function listBusinessPages(call: Call, session: Session): Answer {
    const { token } = asPerson(session);
    const { businessId } = call.params;
    const owned = visiblePages(session).filter((page) => page.businessId === businessId);
    return businessPagesAnswer(call, owned, token);
  }

  /**
   * Answers with Pages of a business. Its lists return plain Pages, which have no field `tasks`, even if they are empty.
   * https://developers.facebook.com/docs/marketing-api/reference/business/owned_pages/
   */
  function businessPagesAnswer(call: Call, pages: readonly Page[], token: Token): Answer {
    const { fields } = call;
    if (String(fields['fields']).split(',').includes('tasks')) {
      refuse('100', '(#100) Tried accessing nonexisting field (tasks) on node type (Page)');
    }
    return pagesAnswer(call, pages, (page) => pageFields(page, token));
  }

  function visiblePages({ person }: Session): Page[] {
    const { allowedPageIds } = person;
    return state.pages
      .list({ owner: person.id })
      .filter(({ id }) => allowedPageIds === null || allowedPageIds.includes(id));
  }

  function pagesAnswer(
    call: Call,
    pages: readonly Page[],
    fieldsOf: (page: Page) => Record<string, unknown>,
  ): Answer {
    const max = Number(workbench.setting('pagesAtOnce'));
    return json(onePage(call, pages, (page) => selectFields(call.fields, fieldsOf(page), 'Page'), max));
  }

  function pageFields(page: Page, userToken: Token): Record<string, unknown> {
    const { id, name, username } = page;
    const token = pageToken(page, userToken);
    const picture = { data: { url: `https://scontent.xx.fbcdn.net/v/${id}.jpg`, is_silhouette: false } };
    return {
      id,
      name,
      username,
      category: 'Coffee shop',
      access_token: token.value,
      picture,
    };
  }

  /** Issues a Page token. It expires with the user token it comes from; from a long-lived user token, it never expires. */
  function pageToken({ id }: Page, from: Token): Token {
    const known = state.tokens
      .list({ owner: from.personId })
      .find(({ pageId, isLong, deadSubcode, scopes }) => {
        const isSame = pageId === id && isLong === from.isLong && deadSubcode === undefined;
        return isSame && from.isLong && scopes.join() === from.scopes.join();
      });
    if (known !== undefined) return known;
    const { personId, scopes, declined, issuedAt, isLong, expiresAt } = from;
    const value = workbench.random.secret('EAAP');
    const token: Token = {
      value,
      kind: 'page',
      personId,
      pageId: id,
      scopes,
      declined,
      issuedAt,
      isLong,
      ...(!isLong && expiresAt !== undefined && { expiresAt }),
    };
    state.tokens.put(value, token);
    return token;
  }

  /** Reads `me`. The caller is the Page if the token is a Page token. */
  function me(call: Call, session: Session): Answer {
    const { person, page, token } = session;
    if (page !== undefined) return json(selectFields(call.fields, pageFields(page, token), 'Page'));
    const known = { id: person.id, name: person.name };
    return json(selectFields(call.fields, known, 'User'));
  }

  return [
    graph.any('permissions', 'GET', 'me/permissions', 'public_profile', permissions),
    graph.any('accounts', 'GET', 'me/accounts', 'pages_show_list', listPages),
    graph.any('businesses', 'GET', 'me/businesses', 'business_management', listBusinesses),
    graph.any('owned_pages', 'GET', ':businessId/owned_pages', 'business_management', listBusinessPages),
    graph.any('client_pages', 'GET', ':businessId/client_pages', 'business_management', (call, session) => {
      asPerson(session);
      return businessPagesAnswer(call, [], session.token);
    }),
    graph.any('me', 'GET', 'me', 'public_profile', me),
  ];
}

function asPerson(session: Session): Session {
  if (session.page !== undefined) refuse('100', '(#100) A user access token is required for this call');
  return session;
}
