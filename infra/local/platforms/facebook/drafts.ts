import { refuseParameter } from '../meta/graph-errors.ts';
import { booleanField, type Fields, textField } from '../meta/parameters.ts';

/**
 * Returns true if a post or a video becomes a draft: `published=false` with the type `DRAFT`. The service makes no other
 * unpublished posts, so other types are refused. https://developers.facebook.com/docs/graph-api/reference/page/videos
 */
export function readIsDraft(fields: Fields): boolean {
  const isPublished = booleanField(fields, 'published') ?? true;
  const type = textField(fields, 'unpublished_content_type');
  if (isPublished && type !== undefined)
    refuseParameter('Param unpublished_content_type needs published=false.');
  if (!isPublished && type !== 'DRAFT') refuseParameter('scheduled_publish_time is required.');
  return !isPublished;
}
