import { CopyButton } from '../components/copy-button.tsx';
import { ExternalLink } from '../components/link.tsx';
import { Badge } from '../components/status.tsx';
import { words } from '../words/words.ts';
import classes from './link-address.module.css';

const texts = words.clicks.link;

interface LinkAddressProps {
  address: string;
  url: string;
  isSent: boolean;
}

/** A tracked link: the address that people get, with a copy button, and its destination. */
export function LinkAddress({ address, url, isSent }: LinkAddressProps) {
  return (
    <div className={classes.link}>
      <div className={classes.destination}>
        <ExternalLink href={url}>
          <bdi>{withoutScheme(url)}</bdi>
        </ExternalLink>
      </div>
      <div className={classes.address}>
        <span className={classes.text}>{withoutScheme(address)}</span>
        <CopyButton text={address} label={texts.copy(address)} />
      </div>
      {!isSent && (
        <div className={classes.former}>
          <Badge>{texts.isFormer}</Badge>
          <span>{texts.isFormerHelp}</span>
        </div>
      )}
    </div>
  );
}

/** `https://example.com/` as `example.com`. */
const withoutScheme = (url: string): string => url.replace(/^https?:\/\//, '').replace(/^([^/]+)\/$/, '$1');
