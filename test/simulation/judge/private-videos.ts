import { accountState } from '../../../lib/accounts/schemas.ts';
import { accountFromItem } from '../../../lib/accounts/store.ts';
import type { Item } from '../../support/database/database.ts';
import type { Committed } from '../cloud/committed.ts';
import type { Platforms } from '../platforms/platforms.ts';
import type { World } from '../world/world.ts';

interface PrivateVideosPorts {
  readonly world: World;
  readonly committed: Committed;
  readonly platforms: Platforms;
  /** True if the account was disconnected, or connected again, during the run. */
  readonly wasDisconnected: (accountId: string) => boolean;
}

/** Checks at the end that no upload is left on YouTube that nobody publishes, and that no task to delete one is. */
export function createPrivateVideosCheck({
  world,
  committed,
  platforms,
  wasDisconnected,
}: PrivateVideosPorts) {
  /** True if nobody may delete the account's videos now, or might not at some time. */
  const isUnreachable = (item: Item): boolean => {
    const account = accountFromItem(item);
    return accountState(account) !== 'ok' || wasDisconnected(account.id);
  };

  return {
    /** True if a repair task waits for an account to be connected again. */
    isExcused(task: string): boolean {
      const { kind, upload } = JSON.parse(task);
      if (kind !== 'discard upload') return false;
      const account = committed.ofKind('account').find(({ id }) => id === upload.accountId);
      return account === undefined || isUnreachable(account);
    },

    async checkEnd(): Promise<void> {
      // A session that YouTube has lost may have made a video that nobody knows.
      const isLost = world.troubles().some(({ kind }) => kind === 'uploadLost');
      if (isLost || !platforms.names.includes('youtube')) return;
      const videos = (await platforms.control('youtube', 'GET', 'videos')) as {
        readonly id: string;
        readonly channelId: string;
        readonly privacyStatus: string;
      }[];
      for (const { id, channelId, privacyStatus } of videos) {
        if (privacyStatus !== 'private') continue;
        const accounts = committed.ofKind('account').filter(({ platform }) => platform === 'youtube');
        const owners = accounts.filter(({ platformAccountId }) => platformAccountId === channelId);
        // Disconnecting erases the channel's id.
        const isAnyErased = accounts.some(isUnreachable);
        if (owners.length > 0 && !isAnyErased) world.violate(`the private video ${id} is left on YouTube`);
      }
    },
  };
}
