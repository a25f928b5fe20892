import type { Context } from '../api-contract/context.ts';
import { type CalendarEntry, toEntry } from '../calendar/read.ts';
import { calendarEntryKey } from '../table/keys.ts';
import {
  chooseFrom,
  claimed,
  readSlotAccounts,
  type SlotAccount,
  type SlotChoice,
  type SlotRequest,
} from './choose-slot.ts';

/** A time that a post has taken on an account. */
export interface TakenSlot {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly scheduledFor: string;
  readonly autoKeyId?: string | undefined;
}

/**
 * The rhythms and calendars of the accounts of one request, read once for all of its posts. Two posts on the same
 * account must follow each other: pass the slots of the first to {@link take} before the second chooses.
 *
 * As with {@link chooseSlot}, the claims fail if anybody else claimed a slot on one of the accounts since its calendar
 * was read. The post then asks again, and the calendars of its accounts are read again. A time that somebody else gave
 * to a post since the read is not seen, as between read and commit of a single post.
 */
export class SharedCalendars {
  readonly #read = new Map<string, SlotAccount>();
  /** The accounts that each post has claimed, by the post's id. */
  readonly #claimed = new Map<string, readonly string[]>();

  /** Chooses a slot as the function `chooseSlot` does, with the shared calendars. */
  async chooseSlot(context: Context, request: SlotRequest): Promise<SlotChoice> {
    const { postId, accountIds } = request;
    if (this.#claimed.delete(postId)) for (const id of accountIds) this.#read.delete(id);
    const unread = accountIds.filter((id) => !this.#read.has(id));
    if (unread.length > 0) {
      const accounts = await readSlotAccounts(context, unread, context.now);
      if (!accounts) return { state: 'unsettled' };
      for (const account of accounts) this.#read.set(account.accountId, account);
    }
    const accounts = accountIds.flatMap((id) => this.#read.get(id) ?? []);
    const choice = chooseFrom(context, accounts, request);
    if (choice.state === 'free') this.#claimed.set(postId, accountIds);
    return choice;
  }

  /** Enters the times of a committed post, with the claims of its slot if it has one. */
  take(postId: string, slots: readonly TakenSlot[]): void {
    const claims = this.#claimed.get(postId) ?? [];
    this.#claimed.delete(postId);
    for (const slot of slots) {
      const account = this.#read.get(slot.accountId);
      if (!account) continue;
      const { sk } = calendarEntryKey(slot);
      const entry: CalendarEntry = toEntry({ ...slot, sk });
      const isClaimed = claims.includes(slot.accountId);
      this.#read.set(slot.accountId, {
        ...account,
        entries: [...account.entries, entry],
        versionItem: isClaimed ? claimed(account.versionItem, sk) : account.versionItem,
      });
    }
  }
}
