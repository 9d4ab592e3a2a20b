// SPDX-License-Identifier: Apache-2.0
// node test.mjs CHROMIUM SITE: opens all pages of the site in Chromium and checks that
// - all links to pages, anchors and files of the site have targets
// - nothing is requested from another host, and no request or script fails
// - no page is wider than a phone or a desktop, and all pictures are shown
// - the search finds gather_nd
// - dark mode can be switched on, and text then has contrast
import { createServer } from 'node:http'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { chromium } from 'playwright-core'

const [browserPath, site] = process.argv.slice(2)
const WIDTHS = { phone: 390, desktop: 1280 }
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}
const problems = []
let tabsFound = 0

const server = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname)
  const file = join(site, path.endsWith('/') ? path + 'index.html' : path)
  if (!existsSync(file) || statSync(file).isDirectory()) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file))
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const origin = `http://127.0.0.1:${server.address().port}`

/** Returns the paths of all pages but those of Javadoc. */
function pages() {
  return readdirSync(site, { recursive: true })
    .map((file) => '/' + file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.html') && !file.startsWith('/javadoc/') && file !== '/404.html')
    .sort()
}

/** What a page has; runs in the browser. */
function contents() {
  const all = (selector) => [...document.querySelectorAll(selector)]
  return {
    anchors: all('[id]').map((element) => element.id),
    links: all('a[href]').map((link) => link.href),
    broken: all('img').filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src),
  }
}

/** How far the page and its parts reach beyond its width; runs in the browser. */
function overflow() {
  const width = document.documentElement.clientWidth
  const wide = [...document.querySelectorAll('.vp-doc > div > *, .VPNav, .VPDoc')].filter(
    (element) => element.getBoundingClientRect().right > width + 1,
  )
  return {
    scroll: document.documentElement.scrollWidth - width,
    wide: wide.map((element) => `${element.tagName} "${element.textContent.trim().slice(0, 40)}"`),
  }
}

async function checkWidths(page, path) {
  for (const [name, width] of Object.entries(WIDTHS)) {
    await page.setViewportSize({ width, height: 900 })
    const found = await page.evaluate(overflow)
    if (found.scroll > 0 || found.wide.length > 0) {
      problems.push(`${path} is wider than a ${name} (${width} px) by ${found.scroll} px: ${found.wide.join(', ')}`)
    }
  }
}

function checkLinks(found) {
  for (const [path, { links }] of found) {
    for (const link of new Set(links)) {
      const url = new URL(link)
      if (url.origin !== origin) continue
      const target = url.pathname.endsWith('/') ? url.pathname + 'index.html' : url.pathname
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (!existsSync(join(site, decodeURIComponent(target)))) {
        problems.push(`${path} links to ${url.pathname}, which does not exist`)
      } else if (anchor && found.has(target) && !found.get(target).anchors.includes(anchor)) {
        problems.push(`${path} links to ${url.pathname}#${anchor}, which has no such heading`)
      }
    }
  }
}

async function checkSearch(page) {
  await page.setViewportSize({ width: WIDTHS.desktop, height: 900 })
  await page.goto(origin + '/')
  await page.click('#local-search button')
  await page.fill('.VPLocalSearchBox input', 'gather_nd')
  await page.waitForSelector('.VPLocalSearchBox .result', { timeout: 10_000 }).catch(() => {})
  const results = await page.$$eval('.VPLocalSearchBox .result', (all) => all.map((result) => result.getAttribute('href')))
  if (!results.slice(0, 5).some((href) => href.includes('/reference/sql/gather_nd.html'))) {
    problems.push(`the search for gather_nd finds ${results.slice(0, 5).join(', ') || 'nothing'}`)
  }
}

/** The contrast of text on the page, as WCAG computes it; runs in the browser. */
function contrast() {
  const luminance = (color) => {
    const [r, g, b] = color
      .match(/[\d.]+/g)
      .map(Number)
      .map((value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const text = luminance(getComputedStyle(document.querySelector('.vp-doc p')).color)
  const ground = luminance(getComputedStyle(document.body).backgroundColor)
  return { ratio: (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05), ground }
}

async function checkDarkMode(page) {
  await page.setViewportSize({ width: WIDTHS.desktop, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(origin + '/explanation/concepts.html')
  const light = await page.evaluate(contrast)
  await page.click('.VPNavBar .VPSwitchAppearance')
  await page.waitForFunction(() => document.documentElement.classList.contains('dark'), null, { timeout: 5000 }).catch(() => {})
  await page.waitForTimeout(600) // a transition of colours
  const dark = await page.evaluate(contrast)
  if (light.ground < 0.8 || dark.ground > 0.1) {
    problems.push(`dark mode changes the brightness of pages from ${light.ground} to ${dark.ground}`)
  }
  if (Math.min(light.ratio, dark.ratio) < 4.5) {
    problems.push(`text has a contrast of ${light.ratio} and, in dark mode, ${dark.ratio}: at least 4.5 is needed`)
  }
}

async function checkTabs(page, path) {
  for (const tabs of await page.$$('.tabs')) {
    tabsFound++
    const shown = () => tabs.$$eval('.panel', (panels) => panels.map((panel) => getComputedStyle(panel).display !== 'none'))
    const labels = await tabs.$$('label')
    for (let i = labels.length - 1; i >= 0; i--) {
      await labels[i].click()
      const panels = await shown()
      if (panels.length !== labels.length || panels.some((isShown, panel) => isShown !== (panel === i))) {
        problems.push(`${path}: tab ${i} of ${labels.length} shows panels ${panels}`)
      }
    }
  }
}

const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage()
  let path = ''
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      problems.push(`${path} requests ${request.url()}`)
    }
  })
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${path} requests ${response.url()}: ${response.status()}`)
  })
  page.on('pageerror', (error) => problems.push(`${path}: ${error}`))
  const found = new Map()
  for (path of pages()) {
    await page.setViewportSize({ width: WIDTHS.desktop, height: 900 })
    await page.goto(origin + path, { waitUntil: 'load' })
    await page.waitForSelector('#app .VPContent')
    found.set(path, await page.evaluate(contents))
    found.get(path).broken.forEach((image) => problems.push(`${path} has a picture that is not shown: ${image}`))
    await checkTabs(page, path)
    await checkWidths(page, path)
  }
  checkLinks(found)
  path = 'the search'
  await checkSearch(page)
  path = 'dark mode'
  await checkDarkMode(page)
  if (tabsFound === 0) problems.push('no page has tabs')
  if (found.size < 30) problems.push(`the site has ${found.size} pages only`)
  console.log(`${found.size} pages, ${problems.length} problems`)
} finally {
  await browser.close()
  server.close()
}
problems.forEach((problem) => console.error(problem))
process.exit(problems.length === 0 ? 0 : 1)
