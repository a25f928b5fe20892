import type { Account } from '../accounts/schemas.ts';
import { loginPartition, platformAccountPartition } from '../table/keys.ts';
import type { MetaPlatform } from './schemas.ts';

/**
 * Returns the partitions that list the accounts of a person, by the `user_id` of a callback.
 *
 * - Facebook sends the person's app-scoped id, which is the `loginId` of the Pages that the person connected.
 *   https://developers.facebook.com/docs/development/create-an-app/app-dashboard/data-deletion-callback
 * - Threads has one id per person and app, and one account per person.
 *   https://developers.facebook.com/documentation/threads/reference/user
 * - Instagram has two ids: `id` of `/me` is app-scoped, `user_id` is the professional account's, as webhooks send it. The
 *   documentation does not say which one its callbacks name, so both are looked up. An id can only be one of the two, because all
 *   objects of the Graph share one number space. With Facebook Login the Instagram account's ids would differ again; Herald does
 *   not offer that login. https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/ig-user
 *
 * The ids that we hold of people who comment and write are none of these: an Instagram-scoped id belongs to one person and one
 * business account (`PLATFORM#…` never has them as its account), and no callback names one.
 * https://developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/messaging-api/user-profile
 */
export function accountLists(platform: MetaPlatform, userId: string): readonly string[] {
  switch (platform) {
    case 'facebook':
      return [loginPartition(platform, userId)];
    case 'threads':
      return [platformAccountPartition(platform, userId)];
    case 'instagram':
      return [loginPartition(platform, userId), platformAccountPartition(platform, userId)];
  }
}

/** True if the account belongs to this person today. It does not if it was connected again through another login. */
export function isAccountOf(account: Account, platform: MetaPlatform, userId: string): boolean {
  const ids = {
    facebook: [account.loginId],
    threads: [account.platformAccountId],
    instagram: [account.loginId, account.platformAccountId],
  };
  return account.platform === platform && ids[platform].includes(userId);
}
