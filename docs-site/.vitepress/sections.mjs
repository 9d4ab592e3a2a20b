// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'

/** Returns the sidebar: the headings and lists of the index of the documentation. */
export function sections(docs) {
  const text = readFileSync(docs + 'README.md', 'utf8').replace(/<!--[^]*?-->/g, '')
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({ text: section.split('\n', 1)[0], items: items(section) }))
}

/** Returns the first link of each list entry, and all links of entries within one. */
function items(section) {
  const items = []
  for (const entry of section.split(/^(?= *- )/m).slice(1)) {
    const links = [...entry.matchAll(/\[([^\]]+)\]\(([^)#\s]+)\.md\)/g)].map((link) => ({
      text: link[1],
      link: '/' + link[2].replace(/(^|\/)README$/, '$1'),
    }))
    if (entry.startsWith(" ")) {
      const group = entry.match(/- (?:([^:[]*):)?/)[1]
      const parent = items.at(-1)
      parent.items ??= []
      parent.items.push(group ? { text: group, collapsed: true, items: links } : links[0])
    } else if (links.length > 0) {
      items.push(links[0])
    }
  }
  return items
}
