import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { type ButtonProps, buttonClasses } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import classes from './link.module.css';

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

/** A link to a page of the panel: `<Link to="/accounts">`. It loads the page's code when the pointer comes near. */
export const Link = createLink((props: AnchorProps) => <a {...props} className={classes.link} />);

interface ButtonLinkProps extends AnchorProps, Pick<ButtonProps, 'variant' | 'size' | 'isWide'> {
  icon?: IconName;
}

/** The same, with the look of a button, for the step that a page offers. */
export const ButtonLink = createLink(
  ({ variant, size, isWide, icon, children, ...rest }: ButtonLinkProps) => (
    <a {...rest} className={buttonClasses({ variant, size, isWide })}>
      <span className={classes.content}>
        {icon && <Icon name={icon} />}
        <span>{children}</span>
      </span>
    </a>
  ),
);

interface ExternalLinkProps {
  href: string;
  children: ReactNode;
}

/** A link that leaves the panel, in a new tab: to the documents of the API, or to a post at its platform. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  return (
    <a className={classes.external} href={href} target="_blank" rel="noreferrer">
      {children}
      <Icon name="external" size={12} />
    </a>
  );
}
