import * as z from 'zod';
import { refuseParameter } from '../meta/graph-errors.ts';
import { type Fields, jsonField } from '../meta/parameters.ts';

/** The parts of `targeting` that the service uses. https://developers.facebook.com/docs/graph-api/reference/page/feed */
const Targeting = z.strictObject({
  geo_locations: z.strictObject({ countries: z.array(z.string().regex(/^[A-Z]{2}$/)).min(1) }),
});
export type Targeting = z.infer<typeof Targeting>;

/** Reads the audience of a feed post or a video; undefined if it is for everybody. */
export function readTargeting(fields: Fields): Targeting | undefined {
  const given = jsonField(fields, 'targeting');
  if (given === undefined) return undefined;
  const { data } = Targeting.safeParse(given);
  return data ?? refuseParameter('Param targeting is invalid.');
}
