import { useRef } from 'react';

/** The list of the last time as long as it has the same entries, so that what is given it is not drawn again. */
export function useSameList<Each extends string>(list: readonly Each[]): readonly Each[] {
  const last = useRef(list);
  const isSame =
    last.current.length === list.length && list.every((each, place) => each === last.current[place]);
  if (!isSame) last.current = list;
  return last.current;
}
