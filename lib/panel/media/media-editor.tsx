import type { MediaEditorProps } from './draft-media.ts';

/** The files of a post. */
export function MediaEditor(_props: MediaEditorProps) {
  return null;
}
