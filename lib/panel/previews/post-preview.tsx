import type { PostPreviewProps } from './preview.ts';

/** About what the post will look like at its platform. */
export function PostPreview(_props: PostPreviewProps) {
  return null;
}
