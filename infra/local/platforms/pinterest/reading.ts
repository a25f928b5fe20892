import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { boardBody, ownBoard } from './boards.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { pinBody } from './pins.ts';
import type { Board, Pin, State } from './state.ts';

/** Reads the user, their boards, the boards' sections and the Pins on them. */
export function readingOperations(
  { numbers, reads, setting }: Workbench,
  state: State,
  gate: Gate,
): Operation[] {
  function userAccount(call: Call): Answer {
    const { username } = gate.checkCall(call, 'read', ['user_accounts:read']);
    const user = state.users.get(username);
    if (user === undefined) return refuse('401/2');
    return json({
      id: user.id,
      username,
      business_name: user.businessName,
      account_type: user.accountType,
      profile_image: `https://i.pinimg.com/600x600/${user.id}.jpg`,
      website_url: '',
      about: '',
      board_count: state.boards.count({ owner: username }),
      pin_count: 0,
      follower_count: numbers.followers(username, 'follower_count', call.at) ?? 0,
      following_count: 0,
      monthly_views: 0,
    });
  }

  function listBoards(call: Call): Answer {
    const token = gate.checkCall(call, 'read', ['boards:read']);
    const seesSecrets = token.scopes.includes('boards:read_secret');
    const privacy = call.query.get('privacy') ?? 'ALL';
    const boards = state.boards
      .list({ owner: token.username })
      .filter(({ isSandbox = false }) => isSandbox === token.isSandbox)
      .filter((board) => board.privacy !== 'SECRET' || seesSecrets)
      .filter((board) => privacy === 'ALL' || board.privacy === privacy);
    return page(call, boards.map(boardBody));
  }

  function listSections(call: Call): Answer {
    const token = gate.checkCall(call, 'read', ['boards:read']);
    return page(call, ownBoard(state, token, call.params['boardId'] ?? '').sections);
  }

  /** Lists a board's Pins, newest first. */
  function listPins(call: Call): Answer {
    const token = gate.checkCall(call, 'read', ['boards:read', 'pins:read']);
    const { boardId = '', sectionId } = call.params;
    const board = ownBoard(state, token, boardId);
    if (board.privacy === 'SECRET' && !token.scopes.includes('pins:read_secret')) refuse('403/29');
    if (sectionId !== undefined && !board.sections.some(({ id }) => id === sectionId)) refuse('404/2031');
    return reads.ofList(call, (seen) => {
      const pins = state.pins
        .list({ owner: boardId, newestFirst: true })
        .filter((pin) => sectionId === undefined || pin.sectionId === sectionId);
      const all = [...othersOn(board, sectionId ?? null), ...pins];
      return page(
        seen,
        all.map((pin) => pinBody(changed(pin), board)),
      );
    });
  }

  const othersOn = ({ id: boardId, username }: Board, sectionId: string | null): Pin[] =>
    reads.others((number, createdAt) => ({
      id: String(893_744_226_420_000_001n + 7n * BigInt(number)),
      username,
      boardId,
      sectionId,
      title: `Other Pin ${number}`,
      description: null,
      link: null,
      altText: null,
      dominantColor: null,
      mediaType: 'image',
      createdAt,
    }));

  /** Returns a Pin as Pinterest changes it: a missing title is filled in, and `link` stays as it is. */
  function changed(pin: Pin): Pin {
    if (setting('changesTexts') !== true) return pin;
    const text = (given: string | null) => given && reads.text(given);
    return {
      ...pin,
      title: text(pin.title) ?? 'A title that Pinterest filled in',
      description: text(pin.description),
      altText: text(pin.altText),
    };
  }

  /** Lists the user's Pins on all boards, newest first. Those on secret boards need their own scope. */
  function listOwnPins(call: Call): Answer {
    const token = gate.checkCall(call, 'read', ['boards:read', 'pins:read']);
    const boards = state.boards
      .list({ owner: token.username })
      .filter(({ isSandbox = false }) => isSandbox === token.isSandbox)
      .filter(({ privacy }) => privacy !== 'SECRET' || token.scopes.includes('pins:read_secret'));
    return reads.ofList(call, (seen) => {
      const others = boards.slice(0, 1).flatMap((board) => othersOn(board, null));
      const all = [...others, ...state.pins.list({ newestFirst: true })].flatMap((pin) => {
        const board = boards.find(({ id }) => id === pin.boardId);
        return board === undefined ? [] : [pinBody(changed(pin), board)];
      });
      return page(seen, all);
    });
  }

  const api = 'api.pinterest.com/v5';
  return [
    operation('user_account.get', 'GET', `${api}/user_account`, userAccount),
    operation('boards.list', 'GET', `${api}/boards`, listBoards),
    operation('board_sections.list', 'GET', `${api}/boards/:boardId/sections`, listSections),
    operation('boards.list_pins', 'GET', `${api}/boards/:boardId/pins`, listPins),
    operation('pins.list', 'GET', `${api}/pins`, listOwnPins),
    operation('board_sections.list_pins', 'GET', `${api}/boards/:boardId/sections/:sectionId/pins`, listPins),
  ];
}

/** Returns one page of a list, with the bookmark of the next page or null on the last page. */
function page({ query }: Call, all: readonly unknown[]): Answer {
  const size = Number(query.get('page_size') ?? 25);
  if (!Number.isInteger(size) || size < 1 || size > 250) {
    refuse('400/1', `${query.get('page_size')} is not a page_size from 1 to 250`);
  }
  const start = startOf(query.get('bookmark'));
  const end = start + size;
  const bookmark = end < all.length ? Buffer.from(`offset:${end}`).toString('base64') : null;
  return json({ items: all.slice(start, end), bookmark });
}

function startOf(bookmark: string | null): number {
  if (bookmark === null) return 0;
  const [, offset] = /^offset:(\d+)$/.exec(Buffer.from(bookmark, 'base64').toString()) ?? [];
  return offset === undefined ? refuse('400/1', 'Invalid bookmark') : Number(offset);
}
