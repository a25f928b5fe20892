import { MediaProbe } from '../schemas.ts';

/** What a probe read from a file, unchecked: each value is whatever the file's author wrote. */
export type ProbedFields = { readonly [Name in keyof MediaProbe]?: unknown };

/**
 * Drops every field that is not valid, so that the rest can be stored and listed. Width and height are valid only
 * together.
 */
export function validProbe(fields: ProbedFields): MediaProbe {
  const names = Object.keys(MediaProbe.shape) as (keyof MediaProbe)[];
  const valid = names.flatMap((name) => {
    const { success, data } = MediaProbe.shape[name].safeParse(fields[name]);
    return success && data !== undefined ? [[name, data] as const] : [];
  });
  const { width, height, ...others }: MediaProbe = Object.fromEntries(valid);
  return width === undefined || height === undefined ? others : { width, height, ...others };
}
