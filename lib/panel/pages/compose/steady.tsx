import { type ReactNode, useMemo, useRef } from 'react';
import { type Composing, ComposingProvider } from './context.ts';

interface SteadyProps {
  composing: Composing;
  about: readonly unknown[];
  children: ReactNode;
}

/**
 * Parts of the composer that are about something else than the text: they keep what they were given until that changes, so that they are
 * not drawn again with each letter, which takes long with fifty accounts. The parts themselves have to be `memo`.
 */
export function Steady({ composing, about, children }: SteadyProps) {
  const { act, accounts, problems, warnings, isNew, go, setPending } = composing;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is left out on purpose
  const steady = useMemo(
    () => composing,
    [act, accounts, problems, warnings, isNew, go, setPending, ...about],
  );
  return <ComposingProvider value={steady}>{children}</ComposingProvider>;
}

/** The value of the last time as long as it says the same. */
export function useSameJson<Value>(value: Value): Value {
  const text = JSON.stringify(value);
  const last = useRef({ text, value });
  if (last.current.text !== text) last.current = { text, value };
  return last.current.value;
}
