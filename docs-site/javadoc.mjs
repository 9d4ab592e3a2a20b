// SPDX-License-Identifier: Apache-2.0
// Copies the Javadoc of the modules to a folder, with an index of them; does nothing if none was built.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const MODULES = {
  'spark-ext/core': 'tensors, operators and kernels, without Spark',
  'spark-ext/spark': 'tensors over a cluster, and SQL',
  'spark-ext/iceberg': 'tensors and features in Iceberg tables',
  'spark-ext/embedding': 'lookups and training',
  udfs: 'scalar SQL functions',
}

// the module's own artifactId; that of its parent is indented further
const artifact = (module) => readFileSync(join(root, module, 'pom.xml'), 'utf8').match(/^  <artifactId>(.+)<\/artifactId>/m)[1]

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const target = process.argv[2]
const built = Object.keys(MODULES)
  .map((module) => ({ module, apidocs: ['reports/apidocs', 'apidocs'].map((folder) => join(root, module, 'target', folder)).find(existsSync) }))
  .filter(({ apidocs }) => apidocs)

if (built.length === 0) {
  console.log('no Javadoc beside the site: mvn package -Prelease -DskipTests builds it')
} else {
  mkdirSync(target, { recursive: true })
  const list = built.map(({ module, apidocs }) => {
    const name = module.replace(/.*\//, '')
    cpSync(apidocs, join(target, name), { recursive: true })
    return `<li><a href="${name}/index.html">${artifact(module)}</a>: ${MODULES[module]}</li>`
  })
  writeFileSync(
    join(target, 'index.html'),
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>SparkND Javadoc</title>
<body style="font-family: sans-serif; margin: 2em"><h1>SparkND Javadoc</h1><ul>${list.join('')}</ul></body></html>\n`,
  )
}
