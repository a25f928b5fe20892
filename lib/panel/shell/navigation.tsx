import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { join } from '../components/classes.ts';
import { Icon, type IconName } from '../components/icon.tsx';
import { words } from '../words/words.ts';
import classes from './navigation.module.css';
import { firstTab, type PageLink, pages } from './pages.ts';

/** How many pages the bar of small screens shows. The others are behind *More*. */
const inBar = 3;

/** Links to the panel's own pages: beside the page, or below it on small screens. */
export function Navigation() {
  const { pathname } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const othersId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever goes to a page is done with the list
  useEffect(() => setIsOpen(false), [pathname]);
  return (
    <nav
      className={classes.navigation}
      aria-label={words.shared.navigation.label}
      onKeyDown={({ key }) => key === 'Escape' && setIsOpen(false)}
    >
      <ul className={classes.list}>
        {pages.slice(0, 2).map((page) => (
          <Item key={page.to} page={page} />
        ))}
        <li className={classes.onlySmall}>
          <Link to="/compose" className={classes.link} activeProps={{ 'aria-current': 'page' }}>
            <Content icon="plus">{words.post.newPost}</Content>
          </Link>
        </li>
        {pages.slice(2, inBar).map((page) => (
          <Item key={page.to} page={page} />
        ))}
        <li className={classes.onlySmall}>
          <Button
            className={classes.link}
            aria-expanded={isOpen}
            aria-controls={othersId}
            onPress={() => setIsOpen(!isOpen)}
          >
            <Content icon="dots">{words.shared.navigation.more}</Content>
          </Button>
        </li>
      </ul>
      <ul id={othersId} className={join(classes.list, classes.others, isOpen && classes.open)}>
        {pages.slice(inBar).map((page) => (
          <Item key={page.to} page={page} />
        ))}
      </ul>
    </nav>
  );
}

function Item({ page: { to, name, icon } }: { page: PageLink }) {
  return (
    <li>
      <Link
        to={to}
        params={firstTab}
        className={classes.link}
        activeOptions={{ exact: to === '/' }}
        activeProps={{ 'aria-current': 'page' }}
      >
        <Content icon={icon}>{name}</Content>
      </Link>
    </li>
  );
}

function Content({ icon, children }: { icon: IconName; children: string }) {
  return (
    <>
      <Icon name={icon} />
      <span className={classes.name}>{children}</span>
    </>
  );
}
