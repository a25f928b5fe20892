import classes from './developers.module.css';

/**
 * An endpoint's URL. It reads from left to right whatever letters are in it, and its host stands out. In lists it is shortened, and so is
 * its scheme, which is https but for local runs.
 */
export function EndpointUrl({ url, isClamped = false }: { url: string; isClamped?: boolean }) {
  const { origin, rest } = split(isClamped ? url.replace(/^https:\/\//, '') : url);
  return (
    <bdi dir="ltr" className={isClamped ? classes.clampedUrl : classes.url}>
      {origin}
      <span className={classes.muted}>{rest}</span>
    </bdi>
  );
}

function split(url: string) {
  const end = /^(\w+:\/\/)?[^/?#]+/.exec(url)?.[0].length ?? url.length;
  return { origin: url.slice(0, end), rest: url.slice(end) };
}
