import { matchesGlob } from 'node:path';
import type { Import } from './import-graph.ts';
import type { Arrows, Room } from './read-arrows.ts';

/** Violations of the table, a sentence each. */
export function checkArrows({ rooms, bans }: Arrows, files: string[], imports: Import[]): string[] {
  const known = new Set(files);
  const roomOf = new Map(files.map((file) => [file, findRoom(rooms, file)]));
  const homeless = files.filter((file) => !roomOf.get(file)).map((file) => `${file} stands in no room`);
  const wrong = imports.flatMap(({ from, to }) => {
    const ban = bans.find((each) => isIn([each.files], from) && isIn(each.never, to));
    if (ban) return [`${from} imports ${to}: ${ban.files} never may`];
    const [room, other] = [roomOf.get(from), roomOf.get(to)];
    if (!known.has(to) || !room || !other || room === other) return [];
    const isAllowed = room.mayImport.some((name) => matchesGlob(other.name, name) || name === '*');
    return isAllowed ? [] : [`${from} imports ${to}: ${room.name} may not import ${other.name}`];
  });
  const circles = findCircles(files, imports).map((circle) => `a circle of imports: ${circle.join(', ')}`);
  return [...homeless, ...wrong, ...circles];
}

/** The room whose path matches the file most specifically. */
function findRoom(rooms: Room[], file: string): Room | undefined {
  const lengthIn = ({ paths }: Room) =>
    Math.max(0, ...paths.filter((path) => isIn([path], file)).map((path) => path.length));
  const best = rooms.toSorted((one, other) => lengthIn(other) - lengthIn(one))[0];
  return best && lengthIn(best) > 0 ? best : undefined;
}

const isIn = (patterns: string[], name: string) =>
  patterns.some((pattern) => matchesGlob(name, pattern) || matchesGlob(name, `${pattern}/**`));

/** Groups of files that import each other (Tarjan's strongly connected components). */
export function findCircles(files: string[], imports: Import[]): string[][] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const lower = (file: string, value = Number.POSITIVE_INFINITY) =>
    lowest.set(file, Math.min(lowest.get(file) ?? value, value));

  const visit = (file: string) => {
    order.set(file, order.size);
    lower(file, order.get(file));
    open.push(file);
    for (const { to } of next.get(file) ?? []) {
      if (!order.has(to)) {
        visit(to);
        lower(file, lowest.get(to));
      } else if (open.includes(to)) lower(file, order.get(to));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const file of files) if (!order.has(file)) visit(file);
  return circles;
}
