import { cat } from './cat.ts';
import { cfg } from './cfg.ts';
import type { Clause } from './clause.ts';
import { conn } from './conn.ts';
import { disc } from './disc.ts';
import { gate } from './gate.ts';
import { keep } from './keep.ts';
import { oauth } from './oauth.ts';
import { pol } from './pol.ts';
import { qual } from './qual.ts';
import { tool } from './tool.ts';
import { trust } from './trust.ts';
import { ui } from './ui.ts';

/** Every clause, in the order of the specification. */
export const manifest: readonly Clause[] = [
  ...cfg,
  ...trust,
  ...conn,
  ...disc,
  ...tool,
  ...pol,
  ...oauth,
  ...gate,
  ...keep,
  ...cat,
  ...ui,
  ...qual,
];
