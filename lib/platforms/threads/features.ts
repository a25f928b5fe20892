import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that Threads grants separately. A first comment is a reply: "`threads_manage_replies` — Required for
 * making POST calls to reply endpoints", "`threads_read_replies` — Required for making GET calls to reply endpoints".
 * https://developers.facebook.com/documentation/threads/retrieve-and-manage-replies
 * "`threads_delete` — Required for making delete calls." https://developers.facebook.com/docs/threads/posts/delete-posts
 */
export const threadsFeatures: PlatformFeatures = {
  scopes: {
    publish: ['threads_basic', 'threads_content_publish'],
    comments: ['threads_manage_replies', 'threads_read_replies'],
    removal: ['threads_delete'],
    // https://developers.facebook.com/docs/threads/insights
    insights: ['threads_manage_insights'],
  },
  onRequest: ['removal'],
  formerScopes: [
    'threads_basic',
    'threads_content_publish',
    'threads_manage_replies',
    'threads_read_replies',
  ],
};
